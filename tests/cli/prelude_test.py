# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The precompiled prelude of .cu files: programs are compiled as if each read its headers."""

import os
import shutil

from cli import BUILD, CliTest, main

PROGRAM = """\
#include <cstdio>
__global__ void k() {}
int main() {
  k<<<1, 1>>>();
  std::printf("%d\\n", VALUE);
}
"""


class Prelude(CliTest):
    def setUp(self):
        super().setUp()
        (self.cache / "preludes").unlink()
        self.env["HEDDLE_LAZY"] = "1"
        self.write("a.cu", PROGRAM)

    def preludes(self):
        return sorted(self.cache.rglob("*.pch"))

    def value(self, *options, env=None):
        self.expect(self.heddlecc(*options, "a.cu", "-o", "a", env=env), 0, "", "")
        return self.command("./a").out

    def test_one_for_host_and_one_for_device(self):
        self.assertEqual(self.value("-DVALUE=1"), "1\n")
        self.assertEqual(len(self.preludes()), 2)
        before = [(path, path.stat().st_ino) for path in self.preludes()]
        self.assertEqual(self.value("-DVALUE=1"), "1\n")
        self.assertEqual([(path, path.stat().st_ino) for path in self.preludes()], before)
        self.expect_clean()

    def test_standards(self):
        for standard in ("c++11", "c++14", "c++17", "c++20", "c++23"):
            self.env["HEDDLE_STRICT"] = "0"  # nvcc 13.0 does not know c++23
            for _ in range(2):
                self.assertEqual(self.value(f"-std={standard}", "-DVALUE=__cplusplus>0"), "1\n")

    def test_headers_with_variable_arguments(self):
        self.write("lists.cu", """#include <cstdarg>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
__global__ void k() {}
int sum(int n, ...) {
  va_list list;
  va_start(list, n);
  int total = 0;
  for (int i = 0; i < n; ++i)
    total += va_arg(list, int);
  va_end(list);
  return total;
}
int main() {
  k<<<1, 1>>>();
  std::cout << std::to_string(sum(3, 1, 2, 4)) << std::endl;
}
""")
        for standard in ("c++11", "c++17", "c++20"):
            for _ in range(2):
                self.expect(self.heddlecc(f"-std={standard}", "lists.cu", "-o", "lists"), 0, "", "")
                self.assertEqual(self.command("./lists").out, "7\n")

    def test_macros_reach_the_prelude(self):
        (self.work / "a.cu").write_text(
            "#ifndef __CUDA_API_PER_THREAD_DEFAULT_STREAM\n#define X 0\n#else\n#define X 1\n#endif\n" + PROGRAM)
        for _ in range(2):
            self.assertEqual(self.value("-DVALUE=X"), "0\n")
            self.assertEqual(self.value("-DVALUE=X", "-D__CUDA_API_PER_THREAD_DEFAULT_STREAM"), "1\n")
        self.assertEqual(self.value("-DVALUE=INT_MAX==0x7fffffff"), "1\n")

    def test_header_of_the_program_with_a_name_of_the_prelude(self):
        self.assertEqual(self.value("-DVALUE=1"), "1\n")
        for name in ("time.h", "cmath", "bits/c++config.h"):
            header = self.write(f"{name}-folder/{name}", f"#include_next <{name}>\n#define SHADOW 7\n")
            folder = header.parents[name.count("/")]
            for option in ([f"-I{folder}"], ["-isystem", folder]):
                self.assertEqual(self.value(*option, "-DVALUE=SHADOW"), "7\n")

    def test_header_that_has_changed(self):
        home = self.work / "home"
        home.mkdir()
        for path in BUILD.iterdir():
            if path.name == "include":
                shutil.copytree(path, home / path.name)
            else:
                (home / path.name).symlink_to(path)
        self.env["HEDDLE_HOME"] = str(home)
        header = home / "include" / "cuda_runtime.h"
        for value in ("1", "22"):
            header.write_text(header.read_text(encoding="utf-8") + f"\n#undef X\n#define X {value}\n")
            for _ in range(2):
                self.assertEqual(self.value("-DVALUE=X"), f"{value}\n")

    def test_dependencies(self):
        def dependencies(cache, option):
            self.expect(self.heddlecc(option, "-DVALUE=1", "-c", "a.cu", "-MF", "a.d",
                                      env={"HEDDLE_CACHE": cache}), 0, "", "")
            words = (self.work / "a.d").read_text().replace("\\\n", " ").split()
            self.assertEqual(words[:2], ["a.o:", "a.cu"])
            return {os.path.realpath(word) for word in words[1:]}
        for option in ("-MD", "-MMD"):
            for _ in range(2):
                # The C++ library only asks whether tbb.h is there.
                self.assertEqual(dependencies(str(self.cache), option),
                                 dependencies("/dev/null/x", option) - {"/usr/include/tbb/tbb.h"})

    def test_messages(self):
        self.write("bad.cu", "int main() { cudaMalloc(1); }\n__global__ void k() { nothing(); }\n")
        with_it = self.heddlecc("bad.cu").err
        self.assertIn("bad.cu:1:14: error: no matching function for call to 'cudaMalloc'", with_it)
        self.assertEqual(with_it, self.heddlecc("bad.cu", env={"HEDDLE_CACHE": "/dev/null/x"}).err)

    def test_where_nothing_can_be_kept(self):
        for env in ({"HEDDLE_CACHE": "/dev/null/x"}, {"HEDDLE_CACHE_SIZE": "0"}):
            self.assertEqual(self.value("-DVALUE=3", env=env), "3\n")
        self.assertEqual(self.preludes(), [])

    def test_broken_entry(self):
        self.assertEqual(self.value("-DVALUE=1"), "1\n")
        for path in self.preludes():
            path.write_bytes(path.read_bytes()[:-1000])
        self.assertEqual(self.value("-DVALUE=2"), "2\n")

    def test_cache_command_counts_and_clears(self):
        self.expect(self.heddlecc("-c", "-DVALUE=1", "a.cu"), 0)
        self.expect(self.heddle("cache"), 0, out_has="entries  2")
        self.expect(self.heddle("cache", "clear"), 0)
        self.assertEqual(self.preludes(), [])


if __name__ == "__main__":
    main()
