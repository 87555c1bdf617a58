cmake_policy(SET CMP0057 NEW) # IN_LIST
# Writes OUTPUT: C whose functions jump to those of the same names in LIBRARY, for each name that it exports
# and PATTERN matches. TO_NODE is the version of LIBRARY's names. CHANGES may name a file with lines
#   NAME OTHER    the function NAME is LIBRARY's function OTHER
#   NAME -        there is no function NAME
# The functions OWN are left out, too.
execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY}
                OUTPUT_VARIABLE symbols RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${NM} cannot read ${LIBRARY}")
endif()
string(REGEX MATCHALL " T [A-Za-z0-9_]+" symbols "${symbols}")
list(TRANSFORM symbols REPLACE "^ T " "")

set(names ${symbols})
foreach(name ${symbols})
  set(target_of_${name} ${name})
endforeach()
if(CHANGES)
  file(STRINGS ${CHANGES} lines REGEX "^[^#]")
  foreach(line ${lines})
    if(NOT line MATCHES "^([A-Za-z0-9_]+) +(-|[A-Za-z0-9_]+)$")
      message(FATAL_ERROR "${CHANGES}: \"${line}\" is no change of a name")
    endif()
    set(target ${CMAKE_MATCH_2})
    if(NOT target STREQUAL "-" AND NOT target IN_LIST symbols)
      message(FATAL_ERROR "${CHANGES}: ${LIBRARY} has no ${target}")
    endif()
    set(target_of_${CMAKE_MATCH_1} ${target})
    list(APPEND names ${CMAKE_MATCH_1})
  endforeach()
endif()
foreach(name ${OWN})
  set(target_of_${name} -)
endforeach()

list(REMOVE_DUPLICATES names)
set(text "")
foreach(name ${names})
  set(target ${target_of_${name}})
  if(name MATCHES "${PATTERN}" AND NOT target STREQUAL "-")
    string(APPEND text "FORWARD(${name}, ${target})\n")
  endif()
endforeach()
file(WRITE ${OUTPUT} "// A tail call through the table of addresses that the loader fills when a function is first called.
#define FORWARD(name, target)                                                                      \\
  __asm__(\".text\\n.globl \" #name \"\\n.type \" #name \",@function\\n\" #name \":\\n\"                   \\
          \"endbr64\\njmp other.\" #name \"@PLT\\n.size \" #name \", .-\" #name \"\\n\"                    \\
          \".symver other.\" #name \",\" #target \"@${TO_NODE}\\n\");
${text}")
