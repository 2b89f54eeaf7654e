# SPDX-License-Identifier: Apache-2.0
# FAIRLEAD_SANITIZE, FAIRLEAD_COVERAGE and FAIRLEAD_FUZZ turned into flags for every target.

if(FAIRLEAD_SANITIZE)
  add_compile_options(-fsanitize=${FAIRLEAD_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${FAIRLEAD_SANITIZE})
endif()

if(FAIRLEAD_COVERAGE)
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()

if(FAIRLEAD_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "FAIRLEAD_FUZZ needs clang: use the preset \"fuzz\" or set "
      "CMAKE_C_COMPILER=clang")
  endif()
  # Instruments the libraries too; the main of libFuzzer is linked to the fuzz targets only.
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()
