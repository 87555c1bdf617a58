# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""%%cuda and %%cuda_file in IPython, without a notebook: what cells print, show and raise."""

import json
import os
import re
import sys

from packaged import PACKAGE, PackageTest, main, require_environment

HELLO = """\
#include <cstdio>
__global__ void hello(int n) { printf("thread %d of %d\\n", threadIdx.x, n); }
int main(int argc, char **argv) {
  hello<<<1, 2>>>(2);
  cudaDeviceSynchronize();
  for (int i = 1; i < argc; ++i)
    printf("[%s]\\n", argv[i]);
  return argc > 3 ? 3 : 0;
}
"""
RACE = """\
__global__ void race(int *out) {
  __shared__ int box[32];
  box[threadIdx.x] = 1;
  out[threadIdx.x] = box[31 - threadIdx.x]; // <race>
}
int main() {
  int *out;
  cudaMalloc(&out, 32 * sizeof(int));
  race<<<1, 32>>>(out);
  return cudaDeviceSynchronize();
}
"""

# Runs the cells that it gets as JSON, and prints as JSON what became of each.
SHELL = """\
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
shell = InteractiveShell.instance()
results = []
for cell in json.load(open(sys.argv[1])):
    with capture_output() as caught:
        result = shell.run_cell(cell)
    error = result.error_in_exec or result.error_before_exec
    results.append({"out": caught.stdout, "err": caught.stderr, "shown": [o.data for o in caught.outputs],
                    "error": f"{type(error).__name__}: {error}" if error else ""})
json.dump(results, open(sys.argv[2], "w"))
"""


class Magic(PackageTest):
    def cells(self, *cells, **settings):
        """What becomes of cells behind %load_ext heddle."""
        (self.folder / "shell.py").write_text(SHELL)
        (self.folder / "cells.json").write_text(json.dumps(["%load_ext heddle", *cells]))
        self.expect(self.python(self.folder / "shell.py", self.folder / "cells.json", self.folder / "results.json", **settings))
        first, *results = json.loads((self.folder / "results.json").read_text())
        self.assertEqual(first, {"out": "", "err": "", "shown": [], "error": ""})
        for result in results: # nobody wants to read where cells' files are
            self.assertNotIn("heddle-notebook-", json.dumps(result))
        return results

    def good(self, result, out=""):
        self.assertEqual((result["out"], result["err"], result["error"]), (out, "", ""))

    def test_run(self):
        plain, words, variable, other = self.cells(
            f"%%cuda\n{HELLO}", f"%%cuda -O3 -std=c++20 -- 'a b' --flag\n{HELLO}", f"x = 5\n",
            f"%%cu -- {{x + 1}}\n{HELLO}")
        lines = "thread 0 of 2\nthread 1 of 2\n"
        self.good(plain, lines)
        self.good(words, lines + "[a b]\n[--flag]\n")
        self.good(variable)
        self.good(other, lines + "[6]\n")
        self.assertEqual(os.listdir(self.work), [])
        self.assertEqual(os.listdir(self.folder / "tmp"), [], "temporary files are left")

    def test_failures(self):
        code, compile_error, named, crash, usage, quotes = self.cells(
            f"%%cuda -- a b c\n{HELLO}", "%%cuda\n\nint main() { return unknown; }\n",
            "%%cuda --name wrong.cu\n__global__ void f() {\n  f(;\n}\n",
            "%%cuda\n#include <cstdlib>\nint main() { abort(); }\n", f"%%cuda -no-such-option\n{HELLO}", "%%cuda 'a\nint x;\n")
        self.assertEqual(code["error"], "CellFailed: exit code 3")
        # Line 1 is that of the magic.
        self.assertIn("cell.cu:3:21: ", self.plain(compile_error["err"]))
        self.assertIn("use of undeclared identifier 'unknown'", compile_error["err"])
        self.assertEqual(compile_error["error"], "CellFailed: exit code 1")
        self.assertRegex(self.plain(named["err"]), r"^wrong\.cu:3:5: error: ")
        self.assertEqual(crash["error"], "CellFailed: exit code 134")
        self.assertIn("ended by a signal: Aborted", crash["err"])
        self.assertIn("-no-such-option", usage["err"])
        self.assertEqual(usage["error"], "CellFailed: exit code 2")
        self.assertIn("No closing quotation", quotes["error"])

    def test_wrong_address(self):
        fault, = self.cells("%%cuda\n__global__ void f(int *p) {\n  p[1 << 30] = 1;\n}\nint main() {\n  int *p;\n"
                            "  cudaMalloc(&p, 4);\n  f<<<1, 1>>>(p);\n  return cudaDeviceSynchronize() != 0;\n}\n")
        self.assertIn("cell.cu:3", fault["err"])

    @staticmethod
    def plain(text):
        """Without colours."""
        return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text)

    def test_files(self):
        (self.work / "beside.cuh").write_text("#define BESIDE 3\n")
        use = '#include "own.cuh"\n#include "beside.cuh"\nint other();\n#include <cstdio>\n' \
              'int main() { printf("%d\\n", OWN + BESIDE + other()); }\n'
        own, other, program, broken, error, outside = self.cells(
            "%%cuda_file own.cuh\n#define OWN 4\n", "%%cuda_file other.cu\nint other() { return 5; }\n",
            f"%%cuda other.cu\n{use}", "%%cuda_file own.cuh\n#define OWN wrong\n", f"%%cuda other.cu\n{use}",
            "%%cuda_file ../own.cuh\nint x;\n")
        self.good(own, 'own.cuh is there for %%cuda cells: #include "own.cuh"\n')
        self.good(other, "other.cu is there for %%cuda cells: %%cuda other.cu\n")
        self.good(program, "12\n")
        self.assertEqual(broken["error"], "")
        self.assertIn("own.cuh:2:13: note", self.plain(error["err"]))
        self.assertIn("'../own.cuh' is no name for a cell's file", outside["error"])

    def test_check(self):
        right, wrong, broken = self.cells(f"%%cuda check\n{HELLO}", f"%%cuda check -O2\n{RACE}", "%%cuda check\nint main() { return x; }\n")
        self.assertEqual(right["out"], "thread 0 of 2\nthread 1 of 2\n")
        shown, = right["shown"]
        self.assertIn("nothing found", shown["text/html"])
        self.assertIn("nothing found", shown["text/plain"])
        self.assertEqual((wrong["out"], wrong["err"], wrong["error"]), ("", "", ""))
        shown, = wrong["shown"]
        page = shown["text/html"]
        self.assertIn("heddle check: 1 finding<", page)
        self.assertIn("<b>race</b>", page)
        self.assertIn("cell.cu:5 in race(int*)", page)
        self.assertIn("cell.cu:4 in race(int*)", page)
        self.assertIn("// &lt;race&gt;", page) # a line of the source is text
        self.assertIn("Remedy:", page)
        self.assertIn("heddle check: race: ", shown["text/plain"])
        self.assertEqual((broken["shown"], broken["error"]), ([], "CellFailed: exit code 1"))

    def test_profile(self):
        done, failed, broken = self.cells(
            f"%%cuda profile --name race.cu\n{RACE}", f"%%cuda profile -- a b c\n{HELLO}",
            f"%%cuda profile --metrics no_such_metric\n{RACE}")
        if "this build of Heddle has no page" in done["err"]:
            self.skipTest("this build has no page: npm or its packages were missing")
        self.good(done)
        shown, = done["shown"]
        self.assertTrue(shown["text/html"].startswith("<iframe "), shown["text/html"][:200])
        self.assertIn("race.cu", shown["text/html"])
        self.assertIn("race(int*): 1 launch", shown["text/plain"])
        self.assertEqual((len(failed["shown"]), failed["error"]), (1, "CellFailed: exit code 3"))
        self.assertIn("no_such_metric", broken["err"])

    def test_shell_commands(self):
        write, run = self.cells(f"%%writefile x.cu\n{HELLO}", "!nvcc x.cu -o x && ./x && nvidia-smi -L | cut -d: -f1")
        self.assertEqual(write["error"], "")
        self.assertEqual(run["out"].replace("\r", ""), "thread 0 of 2\nthread 1 of 2\nGPU 0\n")

    def test_read_only_folder(self):
        self.work.chmod(0o555)
        self.addCleanup(self.work.chmod, 0o755)
        result, = self.cells(f"%%cuda\n{HELLO}")
        self.good(result, "thread 0 of 2\nthread 1 of 2\n")

    def test_lines_come_at_once_and_large_output(self):
        sizes, = self.cells("%%cuda\n#include <cstdio>\nint main() { for (int i = 0; i < 100000; ++i) printf(\"äöü %d\\n\", i); }\n")
        self.good(sizes, "".join(f"äöü {i}\n" for i in range(100000)))


class Pieces(PackageTest):
    """Parts that need no shell."""

    def setUp(self):
        super().setUp()
        sys.path.insert(0, str(PACKAGE))
        self.addCleanup(sys.path.remove, str(PACKAGE))

    def test_paths_in_pieces(self):
        from heddle.magic.scratch import PathFilter, Scratch
        scratch = Scratch()
        text = f"{scratch.folder}/cell.cu:3: error\n/tmp/{scratch.folder.name}x {scratch.folder.name}/a.cuh\n{scratch.folder}"
        for size in (1, 2, 7, 1000):
            filtered = PathFilter(scratch)
            shown = "".join(filtered.feed(text[i:i + size]) for i in range(0, len(text), size)) + filtered.rest()
            self.assertEqual(shown, f"cell.cu:3: error\n/tmp/{scratch.folder.name}x a.cuh\n{scratch.folder}", size)

    def test_options(self):
        from heddle.magic.options import parse
        self.assertEqual(parse("check -O2 --name a.cu x.cu -- check --name b")[:],
                         ("check", "a.cu", ["-O2", "x.cu"], ["check", "--name", "b"]))
        self.assertEqual(parse("")[:], ("run", "cell.cu", [], []))
        self.assertEqual(parse("-DX='a b' --name=t.cu")[:], ("run", "t.cu", ["-DX=a b"], []))


require_environment()
if __name__ == "__main__":
    main()
