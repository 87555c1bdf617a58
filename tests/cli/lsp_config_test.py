# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle lsp-config: clangd finds no fault in right programs, and the faults of wrong ones; gdb in VS Code."""

import json
import os
import re
import shutil
import unittest

from cli import BUILD, HELLO, SOURCE, CliTest, main

CLANGD = shutil.which("clangd-19") or shutil.which("clangd")
MARK = "Made by heddle lsp-config"


class Writing(CliTest):
    def test_prints(self):
        printed = self.expect(self.heddle("lsp-config"), 0, err="", out_has=[MARK, "PathMatch", "'-xcuda'"])
        self.assertEqual(self.files(), [])
        self.expect(self.heddle("lsp-config", "."), 0, "wrote .clangd\n", "")
        self.assertEqual((self.work / ".clangd").read_text(), printed.out)
        self.assertEqual(self.files(), [".clangd"])
        self.expect(self.heddle("lsp-config", "--vscode"), 0, err="", out_has=["==> .vscode/launch.json <==\n"])

    def test_options_of_the_project(self):
        self.expect(self.heddle("lsp-config", ".", "--", "-std=c++20", "-arch=sm_90", "-Ia folder", "-I", "it's", "-DX=1", "-Xcompiler", "-Wall"), 0, err="")
        text = (self.work / ".clangd").read_text()
        for flag in ("-std=c++20", "--cuda-gpu-arch=sm_90", f"-I{self.work}/a folder", "-DX=1", "-Wall"):
            self.assertRegex(text, rf"(?m)^    - '{re.escape(flag)}'$|- '{re.escape(flag[:2])}'\n    - '{re.escape(flag[2:])}'$")
        self.assertIn(f"{self.work}/it''s'\n", text)
        self.expect(self.heddle("lsp-config", "--", "-no-such-option"), 1, "", err_has="-no-such-option")
        self.expect(self.heddle("lsp-config", "--no-such-option"), 2, "", err_has="--no-such-option")

    def test_files_of_others(self):
        own = self.write(".clangd", "CompileFlags:\n  Add: -Wall\n")
        before = own.read_text()
        result = self.heddle("lsp-config", ".", "--vscode")
        self.expect(result, 1, "", err_has=[".clangd was not made by heddle lsp-config", "--force"])
        self.assertEqual((self.files(), own.read_text()), ([".clangd"], before))
        self.expect(self.heddle("lsp-config", ".", "--vscode", "--force"), 0, err="")
        self.assertEqual(sorted(self.files() + self.files(self.work / ".vscode")),
                         [".clangd", ".vscode", "launch.json", "tasks.json"])
        # Ours is written again.
        self.expect(self.heddle("lsp-config", ".", "--vscode", "--", "-std=c++20"), 0, err="")
        self.assertIn("-std=c++20", own.read_text())
        self.write(".vscode/launch.json", "{}\n")
        self.expect(self.heddle("lsp-config", ".", "--vscode"), 1, "", err_has="launch.json was not made")

    def test_places(self):
        self.expect(self.heddle("lsp-config", "nowhere"), 1, "", err_has="nowhere is no folder")
        (self.work / ".clangd").mkdir()
        self.expect(self.heddle("lsp-config", ".", "--force"), 1, "", err_has=".clangd is a folder")
        if os.geteuid() != 0: # to whom nothing is forbidden
            (self.work / "locked").mkdir(mode=0o555)
            self.expect(self.heddle("lsp-config", "locked"), 1, "", err_has="cannot write locked/.clangd: Permission denied")
        self.expect(self.heddle("lsp-config", "/proc"), 1, "", err_has="cannot write /proc/.clangd")


@unittest.skipUnless(CLANGD, "clangd is not installed (Debian package clangd-19; ./dev setup)")
class Clangd(CliTest):
    def errors(self, path):
        """What clangd says of a file: the lines of its log for errors in the source."""
        # The line is one that is there in each file: else it would also try its refactorings at each word.
        result = self.command(CLANGD, f"--check={path}", "--check-lines=1-1", "--log=info")
        self.assertIn("Testing on source file", result.err, result)
        self.assertIn("Building AST", result.err, result)
        return re.findall(r"(?m)^E\[[\d:.]+\] (\[\w+\] Line \d+: .*)$", result.err)

    def test_examples(self):
        shutil.copytree(SOURCE / "examples", self.work / "an example")
        self.expect(self.heddle("lsp-config", "an example"), 0, err="")
        sources = sorted((self.work / "an example").glob("*/*.cu"))
        self.assertGreater(len(sources), 10)
        for source in sources:
            with self.subTest(source.name):
                self.assertEqual(self.errors(source), [])

    def test_without_it(self):
        """Else the test above would show nothing."""
        self.assertNotEqual(self.errors(self.write("hello.cu", HELLO)), [])

    def test_faults(self):
        self.expect(self.heddle("lsp-config", "."), 0, err="")
        wrong = HELLO.replace("threadIdx.x", "threadIdx.w")
        errors = self.errors(self.write("wrong.cu", wrong))
        self.assertEqual(len(errors), 1, errors)
        self.assertIn("no member named 'w'", errors[0])

    def test_other_files(self):
        """Headers of kernels; C++ that calls the runtime; CCCL; what a project's own options say."""
        self.expect(self.heddle("lsp-config", ".", "--", "-std=c++20", "-Iinclude"), 0, err="")
        self.write("include/mine.h", "#define MINE 1\n")
        files = {"kernel.cuh": "__device__ inline int id() { return threadIdx.x; }\n",
                 "host.cpp": "#include <cuda_runtime.h>\nint main() { return cudaDeviceSynchronize(); }\n",
                 "sub/concept.cu": "#include <concepts>\n#include <mine.h>\n"
                                   "template <std::integral T> __global__ void f(T *p) { *p = MINE; }\n"}
        if (BUILD / "lib/heddle/cccl/include/thrust").exists():
            files["thrust.cu"] = "#include <thrust/device_vector.h>\n#include <thrust/reduce.h>\n" \
                "int sum(const thrust::device_vector<int> &v) { return thrust::reduce(v.begin(), v.end()); }\n"
        for name, text in files.items():
            with self.subTest(name):
                self.assertEqual(self.errors(self.write(name, text)), [])

    def test_compile_commands(self):
        """nvcc's options, as CMake writes them; the project's standard stays."""
        self.expect(self.heddle("lsp-config", "."), 0, err="")
        source = self.write("x.cu", "#include <concepts>\ntemplate <std::integral T> __global__ void f(T *p) { *p = NUMBER; }\n")
        command = f"{BUILD}/bin/heddlecc -forward-unknown-to-host-compiler -DNUMBER=3 -O3 -g -std=c++20 \"--generate-code=arch=compute_75,code=[compute_75,sm_75]\" " \
            "--expt-relaxed-constexpr -Xcompiler=-fPIC -Xcompiler -Wall -G -lineinfo -maxrregcount=32 -rdc=true --default-stream=per-thread -x cu -c x.cu -o x.o"
        self.write("compile_commands.json", json.dumps([{"directory": str(self.work), "command": command, "file": "x.cu"}]))
        self.assertEqual(self.errors(source), [])


class VsCode(CliTest):
    def json(self, name):
        """JSON behind the comment in the first line."""
        first, rest = (self.work / ".vscode" / name).read_text().split("\n", 1)
        self.assertEqual(first, f"// {MARK}")
        return json.loads(rest)

    @unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
    def test_debugging(self):
        """What VS Code does with the files: the task, then gdb with their commands and a breakpoint in a kernel."""
        self.expect(self.heddle("lsp-config", ".", "--vscode"), 0, err="")
        task, = self.json("tasks.json")["tasks"]
        launch, = self.json("launch.json")["configurations"]
        self.assertEqual(launch["preLaunchTask"], task["label"])
        source = self.write("fill.cu", "#include <cstdio>\n__global__ void fill(int *out) {\n  int value = 3 * threadIdx.x;\n  out[threadIdx.x] = value;\n}\n"
                            "int main() {\n  int *out;\n  cudaMalloc(&out, 128);\n  fill<<<1, 32>>>(out);\n  std::printf(\"error %d\\n\", cudaDeviceSynchronize());\n}\n")

        def filled(text):
            for name, value in (("file", source), ("fileDirname", self.work), ("fileBasenameNoExtension", "fill"), ("workspaceFolder", self.work)):
                text = text.replace("${" + name + "}", str(value))
            return text
        self.expect(self.command(task["command"], *(filled(word) for word in task["args"])), 0, "", "")
        commands = [one["text"] for one in launch["setupCommands"]]
        # Those that begin with - are of gdb's other language, which is not for people.
        talk = ["gdb", "-q", "-nx", "-batch", *(word for line in commands if not line.startswith("-") for word in ("-ex", line)),
                "-ex", "break fill.cu:4", "-ex", "run", "-ex", "print threadIdx", "-ex", "print value", "-ex", "delete", "-ex", "continue",
                filled(launch["program"])]
        result = self.command(*talk)
        self.assertRegex(result.out, r"fill \(out=.*\) at .*fill\.cu:4", result)
        self.assertIn("$1 = {x = 0, y = 0, z = 0}", result.out, result)
        self.assertIn("$2 = 0\n", result.out, result)
        self.assertIn("error 0\n", result.out, result)


if __name__ == "__main__":
    main()
