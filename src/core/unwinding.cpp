// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes exceptions work in the core of a program that opens libcuda.so.1 or libcudart.so.12 by
// dlopen.
//
// The unwinder asks glibc whose code an address is (_dl_find_object, since glibc 2.35). glibc notes
// new libraries from the one that dlopen was given on, in the order of its list, and puts what a
// filter stands for in front of the filter: so it never notes the core, and the first exception in
// it would end the process, caught or not. To open a library that is loaded but was never opened by
// its own name notes it.
#include <dlfcn.h>

namespace {

// The handle is kept: the library stays until the process ends (-z nodelete).
[[gnu::constructor]] void makeKnownToUnwinder() {
  dlopen(HEDDLE_CORE_SONAME, RTLD_LAZY | RTLD_NOLOAD);
}

} // namespace
