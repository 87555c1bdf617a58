# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bin2c of the toolkit folder, and device code that a program has as an array and hands to cuFFT."""

from cli import BUILD, CliTest, main

TOOLKIT = BUILD / "share/heddle/toolkit"

CALLBACK = """\
#include <cufftXt.h>
__constant__ unsigned cut = 3;
__device__ cufftComplex keepLow(void *in, unsigned long long at, void *info, void *) {
  return at < cut ? static_cast<cufftComplex *>(in)[at] : *static_cast<cufftComplex *>(info);
}
"""

PROGRAM = """\
#include <cstdio>
#include <cuda_runtime_api.h>
#include <cufftXt.h>
#include "callback.h"
int main() {
  cufftComplex *data, *rest;
  cudaMallocManaged((void **)&data, 8 * sizeof *data);
  cudaMallocManaged((void **)&rest, sizeof *rest);
  *rest = {0, 0};
  for (int i = 0; i < 8; ++i) data[i] = {float(i + 1), 0};
  cufftHandle plan;
  size_t size;
  if (cufftCreate(&plan) || cufftXtSetJITCallback(plan, "keepLow", code, sizeof code, CUFFT_CB_LD_COMPLEX, (void **)&rest) ||
      cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &size) || cufftExecC2C(plan, data, data, CUFFT_FORWARD)) return 1;
  cudaDeviceSynchronize();
  std::printf("%g\\n", data[0].x);
  return cufftDestroy(plan);
}
"""


class Bin2c(CliTest):
    def bin2c(self, *arguments):
        return self.command(TOOLKIT / "bin/bin2c", *arguments)

    def read_back(self, *options, name, element):
        """The bytes of the array that bin2c makes, as a C++ program has it."""
        made = self.expect(self.bin2c(*options, "a file"), 0, err="")
        self.write("array.h", made.out)
        self.write("print.cpp", '#include <cstdio>\n#include "array.h"\nint main() {\n'
                                f"  static_assert(sizeof({name}[0]) == {element});\n"
                                f"  for (unsigned i = 0; i < sizeof {name}; ++i) std::printf(\"%02x\", ((const unsigned char *){name})[i]); }}\n")
        self.expect(self.command("g++", "-Wall", "-Werror", "-o", "print", "print.cpp"), 0, "", "")
        return bytes.fromhex(self.expect(self.command("./print"), 0, err="").out)

    def test_arrays(self):
        content = bytes(range(256)) + b"end"
        (self.work / "a file").write_bytes(content)
        self.assertEqual(self.read_back(name="imageBytes", element=1), content)
        for kind, element in (("char", 1), ("short", 2), ("int", 4), ("longlong", 8)):
            with self.subTest(kind):
                read = self.read_back("--const", "--static", "--name", "some", f"--type={kind}", name="some", element=element)
                self.assertEqual(read, content + bytes(-len(content) % element))
        read = self.read_back("-c", "-n", "text", "--padd", "0,10", "--length", name="text", element=1)
        self.assertEqual(read, content + b"\0\n")
        self.assertIn("const unsigned long long textLength = 259;\n", (self.work / "array.h").read_text())

    def test_mistakes(self):
        self.write("a.txt", "text")
        for arguments, message in (([], "No input file"), (["none"], "'none': No such file"), (["."], "'.': Is a directory"),
                                   (["a.txt", "--type", "float"], "--type float"), (["a.txt", "-n", "1a"], "--name 1a"),
                                   (["a.txt", "-p", "256"], "larger than a byte"), (["a.txt", "--frobnicate"], "--frobnicate"),
                                   (["a.txt", "--name"], "--name needs a value")):
            with self.subTest(arguments):
                self.expect(self.bin2c(*arguments), 1, "", err_has=message)
        self.expect(self.bin2c("--help"), 0, err="", out_has="--padd")

    def test_callback(self):
        self.write("callback.cu", CALLBACK)
        self.write("main.cpp", PROGRAM)
        self.expect(self.heddlecc("--generate-code", "arch=compute_75,code=lto_75", "-dc", "-fatbin", "callback.cu", "-o",
                                  "callback.fatbin"), 0, "", "")
        made = self.expect(self.bin2c("--name", "code", "--type", "longlong", "callback.fatbin"), 0, err="")
        self.write("callback.h", made.out)
        self.expect(self.command("g++", f"-I{TOOLKIT}/include", "main.cpp", f"-L{TOOLKIT}/lib64", f"-Wl,-rpath,{TOOLKIT}/lib64",
                                 "-lcufft", "-lcudart", "-o", "program"), 0, "", "")
        self.expect(self.command("./program"), 0, "6\n", "")


if __name__ == "__main__":
    main()
