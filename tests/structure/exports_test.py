#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Heddle's libraries export CUDA's names and no others: a program's own symbols, or those of other libraries in
its process, cannot be taken for theirs.
"""
import os
import pathlib
import re
import subprocess
import unittest

LIBRARIES = pathlib.Path(os.environ.get("HEDDLE_BUILD", "build")).resolve() / "lib"

RUNTIME = r"cuda[A-Z]\w*|__cuda\w+|__heddle\w+"
DRIVER = r"cu[A-Z]\w*"
# What each library may export, by the start of its name; the first that fits counts.
NAMES = {
    "libheddle_core": f"{RUNTIME}|{DRIVER}|heddle13_\\w+|cupti[A-Z]\\w*|nvml[A-Z]\\w*",
    "libcudart": RUNTIME,
    "libcuda": DRIVER,
    "libcublasLt": r"cublasLt\w+|heddleCublasLt\w+",
    "libcublas": r"cublas\w+",
    "libcudnn": r"cudnn\w+",
    "libcufftw": r"fftwf?_\w+",
    "libcufft": r"cufft[A-Z]\w+",
    "libheddlefft": r"heddleFft\w+",
    "libheddlednn": r"heddleDnn\w+",
    "libcurand": r"curand[A-Z]\w+",
    "libcusolverMg": r"cusolverMg\w+",
    "libcusolver": r"cusolver\w+",
    "libnccl": r"p?nccl\w+",
    "libcupti": r"cupti\w+",
    "libnvidia-ml": r"nvml\w+",
    "libcufile": r"cuFile\w+",
    "libcusparseLt": r"cusparseLt\w+",
    "libcusparse": r"cusparse\w+",
    "libnvblas": r"[sdcz](gemm|syrk|syr2k|symm|trsm|trmm)_?|[cz](herk|her2k|hemm)_?",
    "libnvfatbin": r"nvFatbin\w+",
    "libnvjpeg": r"nvjpeg\w+",
    "libnvshmem": r"nvshmem\w+",
    # What the other NPP libraries use of it.
    "libnppc": r"npp\w+|_ZN6heddle3npp\w+|_ZNK6heddle3npp\w+",
    "libnpp": r"npp\w+",
    "libnvrtc": r"nvrtc\w+",
    "libnvvm": r"nvvm\w+",
    "libnvJitLink": r"(__)?nvJitLink\w+",
    "libnvToolsExt": r"nvtx\w+",
}


def exported(library):
    """Names of functions and variables, without those of versions, which are absolute (A)."""
    lines = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    return {line.split()[-1].split("@")[0] for line in lines if line.split()[-2] != "A"}


class Exports(unittest.TestCase):
    def test_only_names_of_cuda(self):
        libraries = [path for path in sorted(LIBRARIES.glob("*.so.*")) if not path.is_symlink()]
        self.assertGreater(len(libraries), 10)
        for library in libraries:
            with self.subTest(library.name):
                # libheddle_cublas.so.0 is what both releases' libcublas forward to.
                name = re.sub("^libheddle_(?!core)", "lib", library.name)
                patterns = [names for start, names in NAMES.items() if name.startswith(start)]
                self.assertTrue(patterns, "say in NAMES what this library may export")
                names = exported(library)
                self.assertTrue(names)
                self.assertEqual({name for name in names if not re.fullmatch(patterns[0], name)}, set())


if __name__ == "__main__":
    unittest.main()
