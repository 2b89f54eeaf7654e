# SPDX-License-Identifier: Apache-2.0
# One warning set for everything that is built here, tests included.

add_library(fairlead_warnings INTERFACE)
target_compile_options(fairlead_warnings INTERFACE
  -Wall -Wextra -Wconversion -Wvla -Wwrite-strings -Wformat=2 -Wundef -Wcast-qual
  # In C++ a struct and a function of one name, as in base/log.h, count as shadowing.
  $<$<COMPILE_LANGUAGE:C>:-Wshadow>
  $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
  $<$<BOOL:${FAIRLEAD_WERROR}>:-Werror>)
