cmake_policy(SET CMP0057 NEW) # IN_LIST
# Makes the folder TO of links to what lies in FROM, a folder of libraries, but -lNAME means what the links in
# FROM/cuda13 say. The links are relative.
file(REMOVE_RECURSE ${TO}.new)
file(MAKE_DIRECTORY ${TO}.new)
file(RELATIVE_PATH back ${TO} ${FROM})
file(GLOB entries RELATIVE ${FROM} ${FROM}/*)
file(GLOB newer RELATIVE ${FROM}/cuda13 ${FROM}/cuda13/*)
foreach(entry ${entries})
  if(NOT entry STREQUAL cuda13 AND NOT entry IN_LIST newer)
    file(CREATE_LINK ${back}/${entry} ${TO}.new/${entry} SYMBOLIC)
  endif()
endforeach()
foreach(entry ${newer})
  file(CREATE_LINK ${back}/cuda13/${entry} ${TO}.new/${entry} SYMBOLIC)
endforeach()
file(REMOVE_RECURSE ${TO})
file(RENAME ${TO}.new ${TO})
