# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How CPack makes the Debian package of a folder that build.sh has filled (HEDDLE_STAGE).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_VERSION ${HEDDLE_VERSION})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PACKAGE_CONTACT "${HEDDLE_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "CUDA without NVIDIA hardware or software")
set(CPACK_PACKAGE_DESCRIPTION
"Heddle compiles ordinary CUDA C++ (.cu files) with Clang and runs the kernels
on the CPU, a warp at a time in vector registers, with CUDA's own semantics:
warps and blocks, shared memory and barriers, streams and events, and the
error code that a GPU would give when something goes wrong.
.
heddlecc takes the place of nvcc. heddle runs, checks (accesses out of bounds,
races, misused barriers) and profiles programs. CUDA's libraries are there
under their own names: cuBLAS, cuDNN, cuFFT, cuRAND, cuSOLVER, cuSPARSE, NCCL,
NPP, NVRTC.")

# The folder as it is, links and all.
set(CPACK_PACKAGING_INSTALL_PREFIX /)
set(CPACK_SET_DESTDIR OFF)
set(CPACK_INSTALL_CMAKE_PROJECTS "")
set(CPACK_INSTALLED_DIRECTORIES "${HEDDLE_STAGE};/")
set(CPACK_STRIP_FILES OFF) # build.sh has

# What is linked comes from dpkg-shlibdeps. What heddlecc runs and reads: Clang's driver and its headers, ld, and
# the headers of libstdc++, which come with g++.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${HEDDLE_STAGE}/usr/lib/heddle/lib")
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-19, libclang-common-19-dev, binutils, g++")
# Programs with -Xcompiler -fopenmp; breakpoints in kernels.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libomp-19-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gdb, cmake, make")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
