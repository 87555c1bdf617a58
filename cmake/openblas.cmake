# OpenBLAS behind cuBLAS and cuSOLVER: HEDDLE_OPENBLAS, HEDDLE_CBLAS_INCLUDE, HEDDLE_OPENBLAS_OPTIONS.
#
# PyPI's OpenBLAS for packages (scipy-openblas32) has a prefix before all of its names, so that it does not
# clash with another one in the same process. A header that is included first gives its names to ours.
find_library(HEDDLE_OPENBLAS NAMES scipy_openblas openblas REQUIRED)
find_path(HEDDLE_CBLAS_INCLUDE NAMES cblas.h PATH_SUFFIXES openblas-pthread openblas REQUIRED)
set(HEDDLE_OPENBLAS_OPTIONS)
if(HEDDLE_OPENBLAS MATCHES "scipy_openblas")
  set(names ${CMAKE_BINARY_DIR}/openblas_names.h)
  if(NOT EXISTS ${names})
    execute_process(COMMAND ${CMAKE_NM} -D --defined-only ${HEDDLE_OPENBLAS} OUTPUT_VARIABLE symbols
                    COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL " scipy_(cblas_[a-z0-9_]+|openblas_[a-z0-9_]+|[a-z0-9]+_)\n" symbols "${symbols}")
    list(TRANSFORM symbols REPLACE " scipy_([a-z0-9_]+)\n" "#define \\1 scipy_\\1\n")
    list(JOIN symbols "" symbols)
    file(WRITE ${names} "${symbols}")
  endif()
  set(HEDDLE_OPENBLAS_OPTIONS "SHELL:-include ${names}")
endif()
