# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether this machine can run Heddle's programs, said in a sentence before they are started."""

import pathlib
import platform
import sys
from typing import List, Optional

# What x86-64-v2 has beyond x86-64 (x86-64 psABI, "Microarchitecture levels"), as /proc/cpuinfo names it.
_V2_FLAGS = ("cx16", "lahf_lm", "popcnt", "pni", "ssse3", "sse4_1", "sse4_2")


def missing_flags(cpuinfo: str) -> List[str]:
    """What of x86-64-v2 the processors lack, by the text of /proc/cpuinfo; nothing if it says nothing."""
    for line in cpuinfo.splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "flags":
            have = value.split()
            return [flag for flag in _V2_FLAGS if flag not in have]
    return []


def complaint() -> Optional[str]:
    """Why Heddle's programs cannot run here; None if nothing is known to be wrong."""
    if not sys.platform.startswith("linux"):
        return f"Heddle runs on Linux, and this is {platform.system() or sys.platform}"
    if platform.machine() not in ("x86_64", "amd64"):
        return f"Heddle's programs are for x86-64, and this machine is {platform.machine() or 'something else'}"
    try:
        lacking = missing_flags(pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace"))
    except OSError:  # no /proc: they will say it themselves
        lacking = []
    if lacking:
        return f"Heddle needs a processor with x86-64-v2; this one lacks {', '.join(lacking)}"
    return None
