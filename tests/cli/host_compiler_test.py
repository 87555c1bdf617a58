# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""host-c++, with which heddlecc and build systems link, and what else heddle-compiler is called."""

import os

from cli import BUILD, CliTest, main

LIBEXEC = BUILD / "libexec" / "heddle"
HOST = LIBEXEC / "host-c++"


class HostCompiler(CliTest):
    def test_compiles_and_links(self):
        self.write("main.cpp", "#include <iostream>\nint two();\nint main() { std::cout << two() << '\\n'; }\n")
        self.write("two.cpp", "int two() { return 2; }\n")
        self.expect(self.command(HOST, "main.cpp", "two.cpp", "-o", "both"), 0, "", "")
        self.expect(self.command("./both"), 0, "2\n", "")
        self.expect(self.command(HOST, "-c", "two.cpp", "-o", "two.o"), 0, "", "")
        self.write("words", "-O2 main.cpp\ntwo.o -o again\n")
        self.expect(self.command(HOST, "@words"), 0, "", "")
        self.expect(self.command("./again"), 0, "2\n", "")

    def test_programs_find_the_runtime(self):
        self.write("count.cpp", "#include <cuda_runtime.h>\nint main() { int n; return cudaGetDeviceCount(&n) || n != 1; }\n")
        self.expect(self.command(HOST, "-isystem", BUILD / "include", "count.cpp", "-o", "count", f"-L{BUILD}/lib", "-lcudart"),
                    0, "", "")
        self.expect(self.command("./count"), 0, "", "")

    def test_without_a_linker_of_the_system(self):
        self.write("zero.cpp", "int main() {}\n")
        self.expect(self.command(HOST, "zero.cpp", "-o", "zero", env={"PATH": str(self.work)}), 0, "", "")
        self.expect(self.command("./zero"), 0)

    def test_symbols_of_constrained_templates(self):
        """As g++ names them: it compiled the library."""
        self.write("width.h", "#include <type_traits>\n"
                              "template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0> int width(T);\n"
                              "template <class T> struct Of { template <std::enable_if_t<sizeof(T) == 4, int> = 0> int bits(); };\n")
        self.write("library.cpp", '#include "width.h"\n'
                   "template <class T, std::enable_if_t<std::is_integral_v<T>, int>> int width(T) { return sizeof(T); }\n"
                   "template <class T> template <std::enable_if_t<sizeof(T) == 4, int>> int Of<T>::bits() { return 32; }\n"
                   "template int width<long, 0>(long);\n"
                   "template int Of<float>::bits<0>();\n")
        self.write("main.cu", '#include "width.h"\nint main() { return width(1L) + Of<float>().bits(); }\n')
        self.write("main.cpp", '#include "width.h"\nint main() { return width(1L) + Of<float>().bits(); }\n')
        self.expect(self.command("g++", "-std=c++17", "-c", "library.cpp"), 0, "", "")
        self.expect(self.heddlecc("-std=c++17", "main.cu", "library.o", "-o", "of-cu"), 0, "", "")
        self.expect(self.command("./of-cu"), 40)
        self.expect(self.command(HOST, "-std=c++17", "main.cpp", "library.o", "-o", "of-cpp"), 0, "", "")
        self.expect(self.command("./of-cpp"), 40)

    def test_errors(self):
        self.write("wrong.cpp", "int main() { return missing; }\n")
        self.expect(self.command(HOST, "-c", "wrong.cpp"), 1, "", err_has="undeclared identifier 'missing'")
        self.expect(self.command(HOST, "none.cpp"), 1, "", err_has="no such file")
        self.expect(self.command(HOST, "@none"), 1, "", err_has="none")
        self.write("undefined.cpp", "void f();\nint main() { f(); }\n")
        self.expect(self.command(HOST, "undefined.cpp"), 1, "", err_has="f()")
        self.expect(self.command(HOST, "--analyze", "undefined.cpp"), 1, "", err_has="cannot do what these options ask")
        self.assertEqual(self.files(), ["undefined.cpp", "wrong.cpp"])


class Launcher(CliTest):
    def test_nothing_to_run_by_hand(self):
        self.expect(self.command(LIBEXEC / "heddle-compiler"), 2, "", err_has="nothing to run by hand")

    def test_a_link_is_the_same_program(self):
        os.symlink(BUILD / "bin" / "heddlecc", self.work / "my-compiler")
        self.expect(self.command("./my-compiler", "--version"), 0, out_has="Cuda compilation tools")

    def test_without_the_compiler(self):
        (self.work / "bin").mkdir()
        copy = self.work / "bin" / "heddlecc"
        copy.write_bytes((BUILD / "bin" / "heddlecc").read_bytes())
        copy.chmod(0o755)
        self.expect(self.command("./bin/heddlecc", "--version"), 127, "", err_has="heddlecc: cannot run libexec/heddle")


if __name__ == "__main__":
    main()
