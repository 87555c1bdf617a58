#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packs Heddle's tree and its Python package into a wheel: pack.py --version V --tree FOLDER … OUTPUT_FOLDER.

A wheel is a zip file without links (https://packaging.python.org, "Binary distribution format"), so what the
tree has as links is said in other ways: for the linker by scripts, for /usr/local/cuda's shape by a list
(share/heddle/toolkit.links, src/support/toolkit.h), for the loader by a second copy where the file is small.
"""
import argparse
import base64
import hashlib
import os
import pathlib
import stat
import sys
import zipfile

TAG = "py3-none-manylinux_2_31_x86_64"
LARGEST_COPY = 4 << 20
TOOLKITS = [pathlib.PurePosixPath("share/heddle") / name for name in ("toolkit", "toolkit-12")]
PYTHON = pathlib.PurePosixPath("share/heddle/python")
PACKAGES = ("heddle", "heddle_torch")

METADATA = """Metadata-Version: 2.4
Name: heddle
Version: {version}
Summary: CUDA without NVIDIA hardware or software: compiles CUDA C++, runs it on CPUs, checks and profiles it
License-Expression: Apache-2.0 WITH LLVM-exception
License-File: LICENSE
Keywords: cuda,gpu,compiler,profiler,race detector
Classifier: Environment :: Console
Classifier: Framework :: Jupyter
Classifier: Intended Audience :: Developers
Classifier: Intended Audience :: Education
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C++
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Software Development :: Compilers
Requires-Python: >=3.8
Provides-Extra: notebook
Requires-Dist: ipython; extra == "notebook"
Description-Content-Type: text/markdown

{readme}"""

WHEEL = f"""Wheel-Version: 1.0
Generator: heddle packaging/wheel/pack.py
Root-Is-Purelib: false
Tag: {TAG}
"""

class Wheel:
    """The zip file, and its list of what is in it."""

    def __init__(self, path, version, level):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=level)
        self.info = f"heddle-{version}.dist-info"
        self.record = []
        # One time for all, so that the same tree gives the same wheel.
        self.time = (2020, 1, 1, 0, 0, 0)

    def add(self, name, content, executable=False):
        entry = zipfile.ZipInfo(str(name), self.time)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (stat.S_IFREG | (0o755 if executable else 0o644)) << 16
        self.zip.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(content)}")

    def close(self):
        name = f"{self.info}/RECORD"
        self.record.append(f"{name},,")
        self.zip.writestr(zipfile.ZipInfo(name, self.time), "\n".join(self.record) + "\n")
        self.zip.close()


def below(tree, path):
    """Where a link of the tree leads, as a path below it; links behind it are followed, too."""
    target = pathlib.Path(os.path.realpath(path))
    if not target.is_relative_to(tree):
        sys.exit(f"pack.py: {path} leads out of the tree")
    return target.relative_to(tree)


def toolkit_links(tree, toolkit):
    """The lines of toolkit.links: each file and link of the toolkit, with where it is below the root. Its
    lib64 has each library under all its names, which lib/ cannot have here."""
    lines = []
    for path in sorted((tree / toolkit).rglob("*")):
        name = path.relative_to(tree / toolkit).as_posix()
        if not path.is_symlink():
            if path.is_file():
                lines.append((name, (toolkit / name).as_posix()))
        elif below(tree, path) == pathlib.Path("lib"):
            if name != "lib64": # targets/…/lib: another name of the same folder
                lines.append((name, "../" * name.count("/") + "lib64"))
                continue
            lines += [(f"lib64/{one.name}", below(tree, one).as_posix()) for one in sorted((tree / "lib").iterdir())
                      if one.name != "stubs"]
            lines.append(("lib64/stubs/libcuda.so", below(tree, tree / "lib/libcuda.so").as_posix()))
        elif path.name == "stubs":
            lines.append((f"{name}/libcuda.so", below(tree, tree / "lib/libcuda.so").as_posix()))
        elif path.is_dir() and not path.resolve().is_relative_to(tree / "include") \
                and path.resolve().is_relative_to(tree / toolkit):
            lines.append((name, os.path.relpath(path.resolve(), path.parent)))
        else:
            lines.append((name, below(tree, path).as_posix()))
    return lines


def add_link(wheel, tree, path, name):
    """Something in the place of a link in the tree outside the toolkit."""
    target = path.resolve()
    if path.parent.name == "stubs": # the toolkit's list has it
        return
    if path.name.endswith(".so"):
        wheel.add(name, f"INPUT(-l:{target.name})\n".encode())
    elif target.stat().st_size <= LARGEST_COPY:
        wheel.add(name, target.read_bytes(), os.access(target, os.X_OK))
    else:
        sys.exit(f"pack.py: {path} is a link to a file that is too large to be there twice")


def add_tree(wheel, tree):
    inside = pathlib.PurePosixPath("heddle/_tree")
    for path in sorted(tree.rglob("*")):
        relative = path.relative_to(tree)
        name = inside / relative.as_posix()
        if relative.is_relative_to(PYTHON) and relative.name != "sitecustomize.py": # the packages lie beside the tree
            continue
        if path.is_symlink():
            if not any(relative.is_relative_to(toolkit) for toolkit in TOOLKITS):
                add_link(wheel, tree, path, name)
        elif path.is_file():
            wheel.add(name, path.read_bytes(), os.access(path, os.X_OK))
    for toolkit in TOOLKITS:
        lines = "".join(f"{link}\t{target}\n" for link, target in toolkit_links(tree, toolkit))
        wheel.add(inside / f"{toolkit}.links", lines.encode())


def add_packages(wheel, folder):
    for package in PACKAGES:
        for path in sorted((folder / package).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                wheel.add(pathlib.PurePosixPath(path.relative_to(folder).as_posix()), path.read_bytes())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--version", required=True)
    parser.add_argument("--tree", required=True, type=pathlib.Path)
    parser.add_argument("--packages", required=True, type=pathlib.Path, help="the folder of the Python packages")
    parser.add_argument("--readme", required=True, type=pathlib.Path)
    parser.add_argument("--licence", required=True, type=pathlib.Path)
    parser.add_argument("--level", type=int, default=9, help="how hard to compress, 1 to 9")
    parser.add_argument("output", type=pathlib.Path)
    options = parser.parse_args()
    final = options.output / f"heddle-{options.version}-{TAG}.whl"
    draft = final.with_suffix(".new")
    try:
        wheel = Wheel(draft, options.version, options.level)
        add_packages(wheel, options.packages)
        add_tree(wheel, options.tree.resolve())
        wheel.add(f"{wheel.info}/METADATA",
                  METADATA.format(version=options.version, readme=options.readme.read_text(encoding="utf-8")).encode())
        wheel.add(f"{wheel.info}/WHEEL", WHEEL.encode())
        wheel.add(f"{wheel.info}/entry_points.txt", (options.packages / "entry_points.txt").read_bytes())
        wheel.add(f"{wheel.info}/licenses/LICENSE", options.licence.read_bytes())
        wheel.close()
        draft.rename(final)
    finally:
        draft.unlink(missing_ok=True)
    print(f"{final}: {final.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
