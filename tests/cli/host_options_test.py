# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""-Xcompiler: the host compiler's options reach both passes' preprocessor, host code and the link."""

import os
import struct
import unittest

from cli import HELLO, CliTest, main

BOTH = """\
#include <cstdio>
__global__ void answer(int *out) { *out = ANSWER * TWICE; }
int main() {
  int *p;
  cudaMallocManaged(&p, sizeof *p);
  answer<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  std::printf("%d %d\\n", *p, ANSWER * TWICE);
}
"""


class HostOptions(CliTest):
    def test_preprocessor_of_both_sides(self):
        (self.work / "inc").mkdir()
        (self.work / "inc" / "answer.h").write_text("#define ANSWER 42\n")
        self.write("named.cu", BOTH)
        self.write("found.cu", "#include <answer.h>\n" + BOTH)
        self.write("quoted.cu", '#include "answer.h"\n' + BOTH)
        for source, options in (("found.cu", ["-Xcompiler", "-isystem,inc,-DTWICE=2"]),
                                ("found.cu", ["-Xcompiler", "-Iinc", "-Xcompiler", "-DTWICE=2"]),
                                ("found.cu", ["-Xcompiler", "-I", "-Xcompiler", "inc", "-Xcompiler", "-D TWICE=2"]),
                                ("found.cu", ["-Xcompiler=-idirafter,inc", "-DTWICE=2"]),
                                ("quoted.cu", ["-Xcompiler", "-iquote inc", "-DTWICE=2"]),
                                ("named.cu", ["-Xcompiler", "-include,inc/answer.h", "-DTWICE=2"]),
                                ("named.cu", ["-Xcompiler", "-imacros,inc/answer.h", "-DTWICE=2"])):
            with self.subTest(options=options):
                self.expect(self.heddlecc(source, *options, "-o", "program"), 0, "", "")
                self.expect(self.command("./program"), 0, "84 84\n", "")
        self.expect(self.heddlecc("named.cu", "-Xcompiler", "-include"), 1, "", err_has="'-include' needs a value")

    def test_warnings_as_of_gcc(self):
        """-Wconversion leaves signs out in C++, as g++'s does."""
        self.write("signs.cu", "unsigned long size(int n) { return n; }\nint main() {}\n")
        self.write("narrow.cu", "short narrow(int n) { return n; }\nint main() {}\n")
        conversion, signs = ["-Xcompiler=-Wconversion"], ["-Xcompiler=-Wsign-conversion"]
        self.expect(self.heddlecc("-c", "signs.cu", *conversion), 0, "", "")
        self.expect(self.heddlecc("-c", "narrow.cu", *conversion), 0, "", err_has="-Wimplicit-int-conversion")
        for options in (signs + conversion, conversion + signs):
            self.expect(self.heddlecc("-c", "signs.cu", *options), 0, "", err_has="-Wsign-conversion")

    def test_link(self):
        self.write("hello.cu", HELLO)
        self.expect(self.heddlecc("-c", "hello.cu", "-o", "hello.o"), 0, "", "")
        self.expect(self.heddlecc("-Xcompiler", "-v", "hello.o", "-o", "program"), 0, err_has=["crt1.o", "-lcudart"])
        # What means nothing to a link is no mistake there, even with -Werror.
        self.expect(self.heddlecc("hello.o", "-Werror=all-warnings", "-Xcompiler", "-Wall,-fPIC,-Werror,-flto", "-o", "program"),
                    0, "", "")
        self.expect(self.heddlecc("hello.o", "-Xcompiler", "-nostdlib", "-o", "program"), 1, "", err_has="undefined")

    def test_sanitizers(self):
        """Of host code, by Clang's runtime libraries or by those that come with g++."""
        self.write("wrong.cu", """\
#include <cstdio>
#include <cstdlib>
__global__ void answer(int *out) { *out = 42; }
int twice(int x) { return 2 * x; }
int main(int count, char **words) {
  int *p, (*f)(int) = twice;
  cudaMallocManaged(&p, sizeof *p);
  answer<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  std::printf("%d\\n", f(*p) / 2);
  std::fflush(stdout);
  volatile char *bytes = static_cast<char *>(std::malloc(4));
  volatile int sum = 2147483640 + 100 * (count - 1);
  return count > 1 ? bytes[count + 2] * 0 + (sum == 0) : 0;
}
""")
        for kind, code, message in (("address", 1, "heap-buffer-overflow"), ("undefined", 0, "signed integer overflow")):
            option = ["-Xcompiler", f"-fsanitize={kind}"]
            self.expect(self.heddlecc("-c", "wrong.cu", *option, "-o", "wrong.o"), 0, "", "")
            self.expect(self.heddlecc(*option, "wrong.o", "-o", "program"), 0, "", "")
            self.expect(self.command("./program", env={"ASAN_OPTIONS": "detect_leaks=0"}), 0, "42\n", "")
            self.expect(self.command("./program", "again"), code, "42\n", err_has=message)

    def test_coverage(self):
        self.write("counted.cu", """\
__global__ void k() {}
int choose(int x) {
  if (x > 2)
    return 1;
  return 0;
}
int main(int count, char **) {
  k<<<1, 1>>>();
  cudaDeviceSynchronize();
  return choose(count);
}
""")
        (self.work / "objects").mkdir()
        option = ["-Xcompiler", "--coverage"]
        self.expect(self.heddlecc("-c", "counted.cu", *option, "-o", "objects/counted.o"), 0, "", "")
        self.expect(self.heddlecc(*option, "objects/counted.o", "-o", "program"), 0, "", "")
        self.assertEqual(self.files(self.work / "objects"), ["counted.gcno", "counted.o"])
        self.expect(self.command("./program"), 0, "", "")
        once = (self.work / "objects/counted.gcda").read_bytes()
        self.expect(self.command("./program", "2", "3"), 1, "", "")
        twice = (self.work / "objects/counted.gcda").read_bytes()
        self.assertEqual(once[:4], b"adcg")
        self.assertEqual(len(once), len(twice))
        self.assertEqual((self.runs(once), self.runs(twice)), (1, 2))
        self.assertGreater(sum(self.counters(twice)), sum(self.counters(once)))
        # With a temporary object: beside the program.
        self.expect(self.heddlecc(*option, "counted.cu", "-o", "other"), 0, "", "")
        self.expect(self.command("./other"), 0, "", "")
        self.assertIn("other-counted.gcno", self.files())
        self.assertIn("other-counted.gcda", self.files())
        self.expect(self.command("./program", env={"GCOV_PREFIX": str(self.work / "elsewhere"), "GCOV_PREFIX_STRIP": "99"}), 0)
        self.assertEqual(self.files(self.work / "elsewhere"), ["counted.gcda"])

    @staticmethod
    def records(data):
        """The (tag, words) of a .gcda file, whose format is gcov's."""
        words = struct.unpack(f"<{len(data) // 4}I", data)
        at = 3
        while at + 1 < len(words) and words[at]:
            yield words[at], words[at + 2:at + 2 + words[at + 1]]
            at += 2 + words[at + 1]

    def counters(self, data):
        return [word for tag, words in self.records(data) if tag == 0x01a10000 for word in words[::2]]

    def runs(self, data):
        return next(words[2] for tag, words in self.records(data) if tag == 0xa3000000)

    def test_questions(self):
        """As build scripts ask: with sources that do not exist, or do not matter."""
        self.write("hello.cu", HELLO)
        for arguments in ([".c"], ["hello.cu"], ["none.cpp", "-c"]):
            with self.subTest(arguments):
                self.expect(self.heddlecc(*arguments, "-Xcompiler", "--version"), 0, out_has="clang version 19", err="")
        version = self.heddlecc(".c", "-Xcompiler", "-dumpfullversion -dumpversion")
        self.expect(version, 0, err="")
        self.assertRegex(version.out, r"^19\.\d+\.\d+\n$")
        self.expect(self.heddlecc("hello.cu", "-Xcompiler", "-dumpmachine"), 0, out_has="linux")
        self.expect(self.heddlecc("-Xcompiler", "--version"), 1, "", err_has="no input files")
        self.expect(self.heddlecc(".c"), 1, "", err_has=".c: no such file")
        self.assertEqual(self.files(), ["hello.cu"])

    def test_nvcc_in_files_of_the_host(self):
        self.write("which.cpp", "#include <cstdio>\n#ifdef __CUDACC__\n#error\n#endif\nint main() { return __NVCC__ + 6; }\n")
        self.write("which.c", "#ifdef __CUDACC__\n#error\n#endif\nint main(void) { return __NVCC__ + 6; }\n")
        for source in ("which.cpp", "which.c"):
            self.expect(self.heddlecc(source, "-o", "program"), 0, "", "")
            self.expect(self.command("./program"), 7)
        self.write("release.cpp", "int main() { return __CUDACC_VER_MAJOR__ * 10 + __CUDA_API_VER_MINOR__; }\n")
        for release, number in ((12, 129), (13, 130)):
            self.expect(self.heddlecc(f"--cuda={release}", "release.cpp", "-o", "program"), 0, "", "")
            self.expect(self.command("./program"), number)
        self.write("library.cpp", "#include <thrust/host_vector.h>\n#include <thrust/sort.h>\n#include <cuda_fp16.h>\n"
                   "int main() { thrust::host_vector<int> v(2); v[0] = 4; v[1] = 3;\n"
                   "  thrust::sort(v.begin(), v.end()); return v[0]; }\n")
        self.expect(self.heddlecc("library.cpp", "-o", "program"), 0, "")
        self.expect(self.command("./program"), 3)

    @unittest.skipUnless(os.path.exists("/usr/bin/mpicxx"), "no MPI (libopenmpi-dev)")
    def test_mpi_takes_device_pointers(self):
        self.write("ask.cpp", "#include <mpi.h>\n#include <mpi-ext.h>\n"
                              "int main() { return MPIX_CUDA_AWARE_SUPPORT + 2 * MPIX_Query_cuda_support(); }\n")
        self.expect(self.heddlecc("-ccbin", "mpicxx", "ask.cpp", "-o", "program"), 0, "", "")
        self.expect(self.command("./program"), 3)


if __name__ == "__main__":
    main()
