# SPDX-License-Identifier: Apache-2.0

# fairlead_add_module(NAME [LEFT module...])
#
# Makes the static library fairlead_NAME from NAME/src/*.c with include root NAME/include.  LEFT
# names the modules that it may use; nothing else is on its include path, so that the compiler
# refuses an include that points the wrong way.  A module without a source yet is left out.
function(fairlead_add_module name)
  cmake_parse_arguments(ARG "" "" "LEFT" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/src/*.c")
  if(NOT sources)
    message(STATUS "module ${name}: no source, left out")
    return()
  endif()
  add_library(fairlead_${name} STATIC ${sources})
  target_include_directories(fairlead_${name}
    PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}/include"
    PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/src")
  target_link_libraries(fairlead_${name} PRIVATE fairlead_warnings)
  foreach(left IN LISTS ARG_LEFT)
    if(TARGET fairlead_${left})
      target_link_libraries(fairlead_${name} PUBLIC fairlead_${left})
    endif()
  endforeach()
  fairlead_check_headers(${name} "${CMAKE_CURRENT_SOURCE_DIR}/include")
endfunction()

# fairlead_link_modules(TARGET module...)
#
# Links those of the modules that exist.
function(fairlead_link_modules target)
  foreach(module IN LISTS ARGN)
    if(TARGET fairlead_${module})
      target_link_libraries(${target} PRIVATE fairlead_${module})
    endif()
  endforeach()
  target_link_libraries(${target} PRIVATE fairlead_warnings)
endfunction()
