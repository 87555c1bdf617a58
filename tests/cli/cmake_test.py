# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CMake's own support of CUDA, with heddlecc as the compiler: no line of a project is for Heddle."""

import json
import re
import shutil
import unittest
from pathlib import Path

from cli import BUILD, HELLO, CliTest, main

LISTS = """\
cmake_minimum_required(VERSION 3.20)
project(all LANGUAGES CXX CUDA)
find_package(CUDAToolkit 13.0 REQUIRED)
message(STATUS "is ${CMAKE_CUDA_COMPILER_ID} ${CMAKE_CUDA_COMPILER_VERSION} for ${CMAKE_CUDA_ARCHITECTURES}")
set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)

add_library(kernels STATIC "a folder/kernels.cu")
target_include_directories(kernels PUBLIC "a folder" SYSTEM PUBLIC "a system folder")
target_compile_definitions(kernels PRIVATE "TEXT=\\"a word\\"")
set_target_properties(kernels PROPERTIES POSITION_INDEPENDENT_CODE ON)

add_library(shared SHARED shared.cu)

add_executable(program main.cu)
target_link_libraries(program PRIVATE kernels shared)
target_compile_options(program PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda -Xcompiler=-Wall -fno-inline>)

add_executable(of_host host.cpp)
target_link_libraries(of_host PRIVATE CUDA::cudart CUDA::nvtx3)
add_executable(of_host_static host.cpp)
target_link_libraries(of_host_static PRIVATE CUDA::cudart_static)
if(TARGET CUDA::nvjpeg)
  add_executable(of_jpeg jpeg.cpp)
  target_link_libraries(of_jpeg PRIVATE CUDA::nvjpeg)
endif()
"""

KERNELS = """\
#include "kernels.h"
#include <cstdio>
static_assert(__cplusplus == 201703L);
__global__ void add(int *to) { atomicAdd(to, int(threadIdx.x) + SYSTEM); }
int sum() {
  int *value, result;
  cudaMallocManaged(&value, sizeof(int));
  *value = 0;
  add<<<1, 10>>>(value);
  if (cudaDeviceSynchronize() != cudaSuccess) return -1;
  result = *value;
  std::puts(TEXT);
  return result;
}
"""

MAIN = """\
#include "kernels.h"
#include <cstdio>
int twice(int value);
int main() { std::printf("%d\\n", twice(sum())); }
"""

SHARED = """\
__global__ void two(int *value) { *value *= 2; }
int twice(int value) {
  int *device, result = 0;
  cudaMalloc(&device, sizeof(int));
  cudaMemcpy(device, &value, sizeof(int), cudaMemcpyHostToDevice);
  two<<<1, 1>>>(device);
  cudaMemcpy(&result, device, sizeof(int), cudaMemcpyDeviceToHost);
  return result;
}
"""

HOST = """\
#include <cuda_runtime.h>
#include <cstdio>
int main() {
  int count;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return 1;
  std::printf("%d\\n", count);
}
"""

JPEG = """\
#include <cstdio>
#include <nvjpeg.h>
int main() {
  nvjpegHandle_t handle;
  int major = 0;
  if (nvjpegCreateSimple(&handle) || nvjpegDestroy(handle) || nvjpegGetProperty(MAJOR_VERSION, &major)) return 1;
  std::printf("%d\\n", major);
}
"""


class Cmake(CliTest):
    def write_project(self):
        self.write("p/CMakeLists.txt", LISTS)
        self.write("p/a folder/kernels.cu", KERNELS)
        self.write("p/a folder/kernels.h", '#pragma once\n#include "system.h"\nint sum();\n')
        self.write("p/a system folder/system.h", "#define SYSTEM 1\n")
        self.write("p/main.cu", MAIN)
        self.write("p/shared.cu", SHARED)
        self.write("p/host.cpp", HOST)
        self.write("p/jpeg.cpp", JPEG)

    def configure(self, *arguments, compiler=BUILD / "bin/heddlecc", **settings):
        return self.expect(self.command("cmake", "-S", "p", "-B", "b",
                                        f"-DCMAKE_CUDA_COMPILER={compiler}", *arguments, **settings))

    def test_project(self):
        self.write_project()
        result = self.configure("-DCMAKE_CUDA_ARCHITECTURES=75-real;80-virtual;90a;120",
                                "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
        self.assertIn("is NVIDIA 13.0.88 for 75-real;80-virtual;90a;120", result.out)
        self.expect(self.command("cmake", "--build", "b", "-j2"), 0, err="")
        self.expect(self.command(self.work / "b/program", cwd="/"), 0, "a word\n110\n", "")
        # Neither needs LD_LIBRARY_PATH.
        self.expect(self.command(self.work / "b/of_host", cwd="/"), 0, "1\n", "")
        self.expect(self.command(self.work / "b/of_host_static", cwd="/"), 0, "1\n", "")
        if (BUILD / "lib/libnvjpeg.so").exists(): # not built without libjpeg
            self.expect(self.command(self.work / "b/of_jpeg", cwd="/"), 0, "13\n", "")
        # Nothing to do, until a header changes.
        self.assertNotIn("Building CUDA", self.expect(self.command("cmake", "--build", "b")).out)
        self.write("p/a system folder/system.h", "#define SYSTEM 2\n")
        self.assertIn("Building CUDA", self.expect(self.command("cmake", "--build", "b")).out)
        self.expect(self.command("b/program"), 0, "a word\n130\n", "")
        commands = json.loads((self.work / "b/compile_commands.json").read_text())
        self.assertEqual(len(commands), 5 + (BUILD / "lib/libnvjpeg.so").exists())

    def test_architectures(self):
        self.write("p/CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\n"
                   "project(one LANGUAGES CUDA)\nadd_executable(hello hello.cu)\n")
        self.write("p/hello.cu", HELLO)
        for architectures in ("", "native", "all", "all-major", "50;121"):
            with self.subTest(architectures):
                shutil.rmtree(self.work / "b", ignore_errors=True)
                self.configure(*[f"-DCMAKE_CUDA_ARCHITECTURES={architectures}"][:bool(architectures)])
                self.expect(self.command("cmake", "--build", "b"), 0, err="")
                self.expect(self.command("b/hello"), 0, "thread 0 of 2\nthread 1 of 2\n", "")

    def test_find_cuda(self):
        # CMake's module of old; CMake 4 has it no more.
        self.write("p/CMakeLists.txt", "cmake_minimum_required(VERSION 3.9)\nproject(old CXX)\n"
                   "find_package(CUDA)\nif(CUDA_FOUND)\n"
                   "  cuda_add_executable(hello hello.cu OPTIONS -O2 -arch=sm_70)\nendif()\n"
                   'message(STATUS "is ${CUDA_VERSION}")\n')
        self.write("p/hello.cu", HELLO)
        folder = BUILD / "share/heddle/toolkit"
        result = self.expect(self.command("cmake", "-S", "p", "-B", "b", "-Wno-dev",
                                          f"-DCUDA_TOOLKIT_ROOT_DIR={folder}"))
        if "is 13.0" not in result.out:
            self.skipTest("this CMake has no FindCUDA")
        self.expect(self.command("cmake", "--build", "b"), 0)
        self.expect(self.command("b/hello"), 0, "thread 0 of 2\nthread 1 of 2\n", "")

    def test_searched_folders_are_told(self):
        # CMake 3.31.9 and 4 read both lines; CCCL has a folder of its own from CUDA 13 on.
        self.write("p/hello.cu", HELLO)
        for release, folders in (("13", ["include", "include/cccl"]), ("12", ["include"])):
            with self.subTest(release):
                told = self.expect(self.heddlecc("-v", f"--cuda={release}", "-c", "p/hello.cu", "-o", "hello.o"), 0).err
                paths = re.findall(r'^#\$ (?:SYSTEM_)?INCLUDES=(?:"-I|"-isystem" ")([^"]+)"$', told, re.MULTILINE)
                top = re.search(r"^#\$ TOP=(.*)$", told, re.MULTILINE)[1]
                self.assertEqual(paths, [f"{top}/{folder}" for folder in folders])
                self.assertTrue(all(Path(path).is_dir() for path in paths))

    def test_separable_compilation(self):
        self.write("p/CMakeLists.txt", """\
cmake_minimum_required(VERSION 3.25)
project(parts LANGUAGES CXX CUDA)
set(CMAKE_CUDA_SEPARABLE_COMPILATION ON)
add_library(library STATIC scale.cu offset.cu)
add_executable(of_library show.cu main.cpp)
target_link_libraries(of_library library)
add_library(objects OBJECT scale.cu offset.cu)
add_executable(of_objects show.cu main.cpp $<TARGET_OBJECTS:objects>)
add_library(resolved STATIC scale.cu offset.cu show.cu)
set_target_properties(resolved PROPERTIES CUDA_RESOLVE_DEVICE_SYMBOLS ON)
add_executable(of_resolved main.cpp)
target_link_libraries(of_resolved resolved)
add_library(shared SHARED scale.cu offset.cu show.cu)
add_executable(of_shared main.cpp)
target_link_libraries(of_shared shared)
""")
        self.write("p/scale.cu", "extern __device__ int offset;\n"
                                 "__device__ int scale(int x) { return x * 10 + offset; }\n")
        self.write("p/offset.cu", "__device__ int offset = 3;\n")
        self.write("p/show.cu", """\
#include <cstdio>
__device__ int scale(int x);
__global__ void show() { printf("%d\\n", scale(4)); }
int run() { show<<<1, 1>>>(); return cudaDeviceSynchronize(); }
""")
        self.write("p/main.cpp", "int run();\nint main() { return run(); }\n")
        self.configure("-DCMAKE_CUDA_ARCHITECTURES=75;90")
        self.expect(self.command("cmake", "--build", "b", "-j2"), 0, err="")
        for program in ("of_library", "of_objects", "of_resolved", "of_shared"):
            self.expect(self.command(f"b/{program}"), 0, "43\n", "")

    def test_errors_are_seen(self):
        self.write("p/CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\n"
                   "project(one LANGUAGES CUDA)\nadd_executable(hello hello.cu)\n")
        self.write("p/hello.cu", "int main() { return nothing; }\n")
        self.configure()
        result = self.command("cmake", "--build", "b")
        self.assertNotEqual(result.code, 0)
        self.assertIn("hello.cu:1:21: error: use of undeclared identifier 'nothing'", result.err)

    @unittest.skipUnless(shutil.which("ccache"), "no ccache")
    def test_ccache(self):
        self.write_project()
        env = {"CCACHE_DIR": str(self.folder / "ccache")}
        self.env.pop("CCACHE_DISABLE", None) # of a build that is measured

        def build():
            shutil.rmtree(self.work / "b", ignore_errors=True)
            self.configure("-DCMAKE_CUDA_COMPILER_LAUNCHER=ccache", env=env,
                           compiler=BUILD / "share/heddle/toolkit/bin/nvcc") # ccache knows this name
            self.expect(self.command("ccache", "-z", env=env))
            self.expect(self.command("cmake", "--build", "b", env=env), 0, err="")
            program = self.expect(self.command("b/program"), 0, err="").out
            counts = self.expect(self.command("ccache", "--print-stats", env=env)).out
            counts = dict(line.split("\t") for line in counts.splitlines())
            return program, int(counts["preprocessed_cache_hit"]) + int(counts["direct_cache_hit"]), \
                int(counts["cache_miss"])

        self.assertEqual(build(), ("a word\n110\n", 0, 3))
        self.assertEqual(build(), ("a word\n110\n", 3, 0))
        self.write("p/a system folder/system.h", "#define SYSTEM 2\n")
        program, hits, misses = build()
        self.assertEqual((program, hits, misses), ("a word\n130\n", 2, 1)) # main.cu does not use it


if __name__ == "__main__":
    main()
