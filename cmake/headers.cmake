# SPDX-License-Identifier: Apache-2.0
# The target `headers` compiles every public header alone, as C and (where there is a C++
# compiler) as C++: a header that leans on another one's includes stops here.

include(CheckLanguage)
check_language(CXX)
if(CMAKE_CXX_COMPILER)
  enable_language(CXX)
  set(CMAKE_CXX_STANDARD 17)
  set(CMAKE_CXX_STANDARD_REQUIRED ON)
endif()
add_custom_target(headers)

# fairlead_check_headers(NAME ROOT)
function(fairlead_check_headers name root)
  file(GLOB_RECURSE headers RELATIVE "${root}" CONFIGURE_DEPENDS "${root}/*.h")
  set(languages c)
  if(CMAKE_CXX_COMPILER)
    list(APPEND languages cpp)
  endif()
  foreach(language IN LISTS languages)
    set(units "")
    foreach(header IN LISTS headers)
      string(MAKE_C_IDENTIFIER "${header}" id)
      set(unit "${CMAKE_CURRENT_BINARY_DIR}/headers/${id}.${language}")
      # Twice, so that a missing guard shows as well.
      file(CONFIGURE OUTPUT "${unit}" CONTENT "#include <${header}>\n#include <${header}>\n")
      list(APPEND units "${unit}")
    endforeach()
    if(units)
      add_library(headers_${name}_${language} OBJECT EXCLUDE_FROM_ALL ${units})
      target_include_directories(headers_${name}_${language} PRIVATE
        $<TARGET_PROPERTY:fairlead_${name},INTERFACE_INCLUDE_DIRECTORIES>)
      target_link_libraries(headers_${name}_${language} PRIVATE fairlead_warnings)
      target_compile_options(headers_${name}_${language} PRIVATE -Werror
        # A function and a struct of one name: C keeps them apart, g++ sees a constructor.
        $<$<COMPILE_LANGUAGE:CXX>:-Wno-shadow>)
      add_dependencies(headers headers_${name}_${language})
    endif()
  endforeach()
endfunction()
