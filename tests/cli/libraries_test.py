# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The libraries that makefiles name beside libcudart, linked by heddlecc and by the host compiler."""

import re

from cli import BUILD, CliTest, main

RUNTIME = """\
#include <cstdio>
#include <cuda_runtime.h>
int main() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return 1;
  std::printf("%d\\n", count);
}
"""

DRIVER = """\
#include <cuda.h>
#include <stdio.h>
int main(void) {
  int count = -1, warp = 0, version = 0;
  size_t free_bytes = 0, total = 0, bytes = 0;
  char name[64];
  const char *text = "";
  void *function = 0;
  CUdevice device;
  CUcontext context;
  CUdriverProcAddressQueryResult found;
  printf("%d %d\\n", cuDeviceGetCount(&count), cuMemGetInfo(&free_bytes, &total));
  printf("%d %d\\n", cuInit(1), cuInit(0));
  cuDeviceGetCount(&count);
  cuDeviceGet(&device, 0);
  cuDeviceGetName(name, sizeof name, device);
  cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device);
  cuDriverGetVersion(&version);
  printf("%d %s %d %d %d\\n", count, name, warp, version, cuDeviceGet(&device, count));
  cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text);
  printf("%s", text);
  printf(" %d\\n", cuGetErrorName((CUresult)-1, &text));
  cuGetProcAddress("cuDeviceTotalMem", &function, CUDA_VERSION, 0, &found);
  printf("%d %d\\n", function != 0, found);
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);
  printf("%d %d ", cuMemGetInfo(&free_bytes, 0), cuMemGetInfo(&free_bytes, &total));
  printf("%d %d\\n", free_bytes > 0 && free_bytes <= total, cuDeviceTotalMem(&bytes, 0) == 0 && bytes == total);
  printf("%d", cuGetProcAddress("cuNoSuchCall", &function, CUDA_VERSION, 0, &found));
  printf(" %d %d\\n", function != 0, found);
  return 0;
}
"""

DRIVER_OUTPUT = """\
3 3
1 0
2 Tesla T4 32 13000 101
CUDA_ERROR_ILLEGAL_ADDRESS 1
1 0
0 0 1 1
0 0 1
"""


class Libraries(CliTest):
    def host_compiler(self, compiler, *arguments):
        return self.command(compiler, f"-I{BUILD}/include", *arguments, f"-L{BUILD}/lib",
                            f"-Wl,-rpath,{BUILD}/lib", "-o", "program")

    def test_names_of_the_runtime(self):
        self.write("main.cpp", RUNTIME)
        for names in (["-lcudart"], ["-lcudart_static", "-lpthread", "-ldl", "-lrt"],
                      ["-lcudadevrt", "-lcudart"], ["-lcudart", "-lcuda", "-lnvToolsExt"],
                      [f"{BUILD}/lib/libcudart_static.a"]):
            self.expect(self.host_compiler("g++", "main.cpp", *names), 0, "", "")
            self.expect(self.command("./program"), 0, "1\n", "")
            self.expect(self.heddlecc("main.cpp", *names, "-o", "program"), 0, "", "")
            self.expect(self.command("./program"), 0, "1\n", "")

    def test_static_names_by_path(self):
        # As CMake projects name NVIDIA's static libraries: by their path, without -L.
        self.write("main.cpp", "#include <cublas_v2.h>\n#include <cusparseLt.h>\n"
                               "int main() { int v; return cusparseLtGetProperty(MAJOR_VERSION, &v) ||\n"
                               "  cublasGetProperty(MAJOR_VERSION, &v) ? 99 : v; }\n")
        for toolkit, release in (("toolkit", 13), ("toolkit-12", 12)):
            folder = f"{BUILD}/share/heddle/{toolkit}"
            paths = [f"{folder}/lib64/lib{name}_static.a" for name in ("cusparseLt", "cublas", "cudart")]
            for compiler in (["g++", f"-I{folder}/include", f"-Wl,-rpath,{BUILD}/lib"],
                             [f"{BUILD}/bin/heddlecc", f"--cuda={release}"]):
                with self.subTest(toolkit=toolkit, compiler=compiler[0]):
                    self.expect(self.command(*compiler, "main.cpp", *paths, "-o", "program"), 0, "", "")
                    self.expect(self.command("./program"), release, "", "")

    def test_driver(self):
        self.write("main.c", DRIVER)
        self.env["HEDDLE_DEVICES"] = "2"
        self.expect(self.host_compiler("gcc", "main.c", "-lcuda"), 0, "", "")
        self.expect(self.command("./program"), 0, DRIVER_OUTPUT, "")
        self.expect(self.heddlecc("main.c", "-lcuda", "-cudart", "none", "-o", "program"), 0, "", "")
        self.expect(self.command("./program"), 0, DRIVER_OUTPUT, "")

    def test_runtime_initialises_driver(self):
        self.write("main.c", "#include <cuda.h>\n#include <cuda_runtime_api.h>\nint main(void) {\n"
                             "  size_t free, total;\n  int before = cuMemGetInfo(&free, &total);\n"
                             "  cudaFree(0);\n"
                             "  return before * 10 + cuMemGetInfo(&free, &total); }\n")
        self.expect(self.host_compiler("gcc", "main.c", "-lcuda", "-lcudart"), 0, "", "")
        self.expect(self.command("./program"), 30, "", "")

    def test_driver_without_devices(self):
        self.write("main.c", "#include <cuda.h>\nint main(void) { return cuInit(0); }\n")
        self.env["HEDDLE_DEVICES"] = "0"
        self.expect(self.host_compiler("gcc", "main.c", "-lcuda"), 0, "", "")
        self.expect(self.command("./program"), 100, "", "")

    def test_all_of_the_driver_is_there(self):
        # Every function that cuda.h declares, whichever default stream a program has.
        exported = {line.split()[-1].split("@")[0] for line in
                    self.expect(self.command("nm", "-D", "--defined-only", f"{BUILD}/lib/libcuda.so.1"),
                                0).out.splitlines()}
        self.write("main.c", "#include <cuda.h>\n")
        for options in ([], ["-DCUDA_API_PER_THREAD_DEFAULT_STREAM"]):
            text = self.expect(self.command("gcc", "-E", "-P", *options, f"-I{BUILD}/include", "main.c"),
                               0).out
            declared = set(re.findall(r"\bCUresult\s+(cu\w+)\s*\(", text))
            self.assertGreater(len(declared), 400)
            self.assertEqual(declared - exported, set())

    def exported(self, library):
        return {line.split()[-1] for line in
                self.expect(self.command("nm", "-D", "--defined-only", f"{BUILD}/lib/{library}"), 0).out.splitlines()}

    def test_all_of_cufile_and_cusparselt_is_there(self):
        # Their headers are C's, too, and what they declare has no version, as programs look for it.
        for header, prefix, library, least in (("cufile.h", "cuFile", "libcufile.so.0", 29),
                                               ("cusparseLt.h", "cusparseLt", "libcusparseLt.so.0", 28)):
            self.write("main.c", f"#include <{header}>\n")
            text = self.expect(self.command("gcc", "-std=c11", "-E", "-P", f"-I{BUILD}/include", "main.c"), 0).out
            declared = set(re.findall(rf"\b({prefix}[A-Z]\w*)\s*\(", text))
            self.assertGreaterEqual(len(declared), least)
            self.assertEqual(declared - self.exported(library), set())

    def test_new_headers_in_c(self):
        self.write("main.c", """
#include <cufile.h>
#include <cusparseLt.h>
#include <stdio.h>
int main(void) {
  cusparseLtHandle_t handle;
  CUfileDescr_t file = {0};
  CUfileHandle_t registered;
  int version = 0;
  file.type = CU_FILE_HANDLE_TYPE_OPAQUE_FD;
  file.handle.fd = -1;
  if (cusparseLtInit(&handle) || cusparseLtGetVersion(&handle, &version)) return 1;
  printf("%d\\n", version == CUSPARSELT_VERSION);
  printf("%s\\n", cufileop_status_error(cuFileHandleRegister(&registered, &file).err));
  return cusparseLtDestroy(&handle);
}
""")
        self.expect(self.host_compiler("gcc", "-std=c11", "-Wall", "-Werror", "main.c", "-lcusparseLt", "-lcufile",
                                       "-lcusparse", "-lcudart", "-lcuda"), 0, "", "")
        self.expect(self.command("./program"), 0, "1\ninvalid argument\n")

    def test_versions_of_names(self):
        # Programs that were linked with NVIDIA's libraries look for these names with these versions.
        self.assertIn("nvshmem_malloc@@NVSHMEM", self.exported("libnvshmem_host.so.3"))
        self.assertIn("__cudaInitModule@@libcudart.so.12", self.exported("libcudart.so.12"))
        self.assertIn("ncclCommShrink", self.exported("libnccl.so.2"))

    def test_modules_from_files(self):
        self.write("kernel.cu", """
extern "C" __global__ void store(int *to, int value) { *to = value; }
extern "C" __device__ int count = 5;
""")
        self.write("main.c", """
#include <cuda.h>
#include <stdio.h>
int main(int argc, char **argv) {
  CUcontext context; CUmodule module; CUfunction function; CUdeviceptr to, count;
  int value = 42, result = 0, error;
  void *arguments[] = {&to, &value};
  size_t bytes;
  cuInit(0);
  cuDevicePrimaryCtxRetain(&context, 0);
  cuCtxSetCurrent(context);
  if ((error = cuModuleLoad(&module, argv[1]))) return error;
  cuMemAlloc(&to, 4);
  cuModuleGetFunction(&function, module, "store");
  cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, arguments, 0);
  cuMemcpyDtoH(&result, to, 4);
  cuModuleGetGlobal(&count, &bytes, module, "count");
  printf("%d %d", result, (int)bytes);
  cuMemcpyDtoH(&result, count, 4);
  printf(" %d\\n", result);
  return cuModuleUnload(module);
}
""")
        self.expect(self.host_compiler("gcc", "main.c", "-lcuda"), 0, "", "")
        self.expect(self.heddlecc("-cubin", "kernel.cu"), 0, "", "")
        self.expect(self.heddlecc("--fatbin", "-o", "other.bin", "kernel.cu"), 0, "", "")
        for name in ("kernel.cubin", "other.bin"):
            self.expect(self.command("./program", name), 0, "42 4 5\n", "")
        whole = (self.work / "kernel.cubin").read_bytes()
        for name, content, error in (("cut.cubin", whole[:len(whole) // 2], 200), ("empty", b"", 200),
                                     ("text", b"hello", 200), ("short", whole[:6], 200),
                                     ("nvidia.cubin", b"\x7fELF" + bytes(60), 209),
                                     ("some.ptx", b"// PTX\n.version 8.0\n", 218)):
            (self.work / name).write_bytes(content)
            with self.subTest(file=name):
                self.expect(self.command("./program", name), error, "")

    def test_annotations(self):
        # NVTX 2's objects call the library; ranges nest in each thread.
        self.write("main.c", "int nvtxRangePushA(const char *);\nint nvtxRangePop(void);\n"
                             "int main(void) { int a = nvtxRangePushA(\"a\");\n"
                             "  int b = nvtxRangePushA(\"b\"), c = nvtxRangePop();\n"
                             "  return a * 100 + b * 10 + c; }\n")
        self.expect(self.host_compiler("gcc", "main.c", "-lnvToolsExt"), 0, "", "")
        self.expect(self.command("./program"), 11, "", "")


if __name__ == "__main__":
    main()
