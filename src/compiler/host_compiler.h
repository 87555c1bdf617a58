// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// host-c++: Clang as an ordinary C++ compiler, for the host.
//
// heddlecc links programs with it, and so do build systems that link by themselves (CMake takes the
// name from heddlecc -v). It is Clang's own driver in this process, so no Clang has to be
// installed; programs that it links find CUDA's libraries without LD_LIBRARY_PATH.
#pragma once

namespace heddle::compiler {

/// Runs Clang's driver in its g++ mode over argv[1] and on. The linker is the system's `ld`, or
/// where there is none, lld in a process of this program. Returns the exit status.
int runHostCompiler(int argc, char **argv);

/// ld.lld: links ELF files with LLVM's linker. Returns the exit status.
int runLinker(int argc, char **argv);

} // namespace heddle::compiler
