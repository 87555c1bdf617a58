# Writes OUTPUT: C with an empty function for each name that LIBRARY exports.
execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY}
                OUTPUT_VARIABLE symbols RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${NM} cannot read ${LIBRARY}")
endif()
string(REGEX MATCHALL " T [A-Za-z0-9_]+" symbols "${symbols}")
set(text "")
foreach(symbol ${symbols})
  string(REGEX REPLACE "^ T (.*)$" "void \\1(void) {}\n" line "${symbol}")
  string(APPEND text "${line}")
endforeach()
file(WRITE ${OUTPUT} "${text}")
