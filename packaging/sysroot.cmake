# A toolchain for CMake: this system's Clang with the headers and libraries that sysroot.sh has made.
#
#   cmake -DCMAKE_TOOLCHAIN_FILE=packaging/sysroot.cmake -DHEDDLE_SYSROOT=FOLDER …
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HEDDLE_SYSROOT)
set(CMAKE_SYSROOT ${HEDDLE_SYSROOT})
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
# This system has a newer GCC, whose library programs on older systems do not find.
set(gcc --gcc-install-dir=${HEDDLE_SYSROOT}/usr/lib/gcc/x86_64-linux-gnu/10)
set(CMAKE_C_FLAGS_INIT ${gcc})
set(CMAKE_CXX_FLAGS_INIT "${gcc} -include ${CMAKE_CURRENT_LIST_DIR}/gcc10.h")
set(CMAKE_CXX_STANDARD_LIBRARIES_INIT ${HEDDLE_SYSROOT}/usr/local/lib/libgcc_half.a)
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT -fuse-ld=lld)
endforeach()
set(CMAKE_FIND_ROOT_PATH ${HEDDLE_SYSROOT}/usr/local ${HEDDLE_SYSROOT}/usr)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
