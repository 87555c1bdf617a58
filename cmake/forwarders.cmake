# add_forwarders(TARGET NAME name [SOVERSION n] NODE node [FOLDER folder] TO library PATTERN regex
#                [CHANGES file] [SOURCES … OWN names…])
# makes lib/libNAME.so.SOVERSION, whose functions jump to those of the target `library`, for each name that
# this exports and `regex` matches. NODE is the version of the names: linkers take a function for the one that
# it forwards to if it has none. Without SOVERSION the library has no SONAME, so that linkers note its path.
# CHANGES: see write_forwarders.cmake. SOURCES define the functions OWN, which are this library's own.
# Why not ld's --filter: glibc 2.31 cannot load such libraries by dlopen, and later ones do not tell the
# unwinder about what they load for one.
# RELEASE 13: -lNAME means this library if a program is made for that release of CUDA (lib/cuda13).
function(add_forwarders target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME;SOVERSION;NODE;FOLDER;TO;PATTERN;CHANGES;RELEASE" "SOURCES;OWN")
  set(names ${CMAKE_CURRENT_BINARY_DIR}/${target}.c)
  set(script ${CMAKE_SOURCE_DIR}/cmake/write_forwarders.cmake)
  get_target_property(node ${arg_TO} HEDDLE_NODE)
  add_custom_command(OUTPUT ${names}
    COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DLIBRARY=$<TARGET_FILE:${arg_TO}> -DOUTPUT=${names}
            -DPATTERN=${arg_PATTERN} -DCHANGES=${arg_CHANGES} -DTO_NODE=${node} "-DOWN=${arg_OWN}" -P ${script}
    DEPENDS ${arg_TO} ${script} ${arg_CHANGES}
    VERBATIM)
  add_library(${target} SHARED ${names} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_TO})
  target_include_directories(${target} SYSTEM PRIVATE ${CMAKE_SOURCE_DIR}/include)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${arg_NAME} BUILD_WITH_INSTALL_RPATH ON)
  if(arg_SOVERSION)
    # The file's name is the SONAME: no link libNAME.so, which belongs to one release's library.
    set_target_properties(${target} PROPERTIES SUFFIX .so.${arg_SOVERSION} INSTALL_RPATH "$ORIGIN")
  else()
    set_target_properties(${target} PROPERTIES NO_SONAME ON INSTALL_RPATH "$ORIGIN/.."
      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${arg_FOLDER})
  endif()
  set(map ${CMAKE_CURRENT_BINARY_DIR}/${target}.map)
  file(WRITE ${map} "${arg_NODE} {\n  global: *;\n};\n")
  set_target_properties(${target} PROPERTIES LINK_DEPENDS ${map})
  target_link_options(${target} PRIVATE -Wl,--version-script=${map} -Wl,-z,lazy)
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/${arg_FOLDER})
  heddle_of_release(${target} ${arg_NAME} "${arg_SOVERSION}" "${arg_RELEASE}")
endfunction()

# heddle_of_release(TARGET NAME SOVERSION RELEASE): a shared library of ours, which -lNAME means in
# lib/cuda13 if RELEASE is 13.
function(heddle_of_release target name soversion release)
  set_property(GLOBAL APPEND PROPERTY HEDDLE_SHARED_LIBRARIES ${target})
  if(NOT release STREQUAL 13)
    return()
  endif()
  set(folder ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/cuda13)
  file(MAKE_DIRECTORY ${folder})
  file(CREATE_LINK ../lib${name}.so.${soversion} ${folder}/lib${name}.so SYMBOLIC)
  install(FILES ${folder}/lib${name}.so DESTINATION ${CMAKE_INSTALL_LIBDIR}/cuda13)
endfunction()

# heddle_static_name(NAME FOLDER): -lNAME_static and libNAME_static.a, for makefiles that ask for them, in
# lib/FOLDER: the shared library beside it under another name. A linker looks for what such a script names in the
# script's own folder first, so that it is found without -L, too.
function(heddle_static_name name folder)
  set(file lib${name}_static.a)
  file(WRITE ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${folder}/${file} "INPUT(lib${name}.so)\n")
  install(FILES ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${folder}/${file}
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/${folder})
endfunction()
