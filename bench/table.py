# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the benchmarks' table, and compares it with the goals of the SIMD engine."""
import math
import os
import pathlib
import platform
import re
import statistics
import subprocess

# The workloads in the table's order, and for those bound by memory the bandwidth they compare with:
# that of a copy, or of the triad, which reads more than it writes.
ORDER = ["triad", "saxpy", "transpose_naive", "transpose_padded", "jacobi2d", "blocks8x8x8",
         "matmul_naive", "matmul_rows_on_x", "matmul_tiled16", "matmul_tiled32", "matmul_register", "convolution5",
         "blocks16x16", "nbody", "black_scholes", "mandelbrot", "pde_double", "reduce_shared",
         "reduce_shuffle", "scan", "histogram256", "radix_sort", "spmv_csr", "spmv_sell32", "bfs", "life",
         "image_rotation", "thrust_reduce", "thrust_scan", "thrust_select", "thrust_sort_by_key"]
BANDWIDTH = {"triad": "triad", "saxpy": "triad", "transpose_naive": "copy", "transpose_padded": "copy",
             "jacobi2d": "copy"}
COMPUTE = {"matmul_naive", "matmul_rows_on_x", "matmul_tiled16", "matmul_tiled32", "matmul_register", "convolution5", "nbody",
           "pde_double", "blocks16x16", "mandelbrot", "black_scholes"}
# (peer, least geometric mean, least of each workload)
RATIO_GOALS = [("omp", 1.0, 0.6), ("omp-best", 0.5, None), ("pocl", 10.0, 1.5), ("reference", 30.0, None)]
# (tool, most geometric mean, most of each workload)
COST_GOALS = [("profile", 8.0, 30.0)]
BANDWIDTH_GOAL = 0.9
FMA_GOAL = ("matmul_register", 0.5)
CLOSE_TO_OMP = (("nbody", "black_scholes"), 1.2)
TITLES = {"simd": "simd", "reference": "reference", "omp": "omp", "omp-best": "omp-best", "pocl": "PoCL",
          "profile": "profile"}


def order(name):
    return (ORDER.index(name) if name in ORDER else len(ORDER), name)


def machine():
    """What the machine is, as it says itself."""
    text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    model = re.search(r"^model name\s*:\s*(.+)$", text, re.M)
    cache = pathlib.Path("/sys/devices/system/cpu/cpu0/cache/index3/size")
    return {"cpu": model.group(1).strip() if model else platform.machine(), "cpus": os.cpu_count(),
            "family": dict(re.findall(r"^(cpu family|model|stepping)\s*:\s*(\S+)$", text, re.M)),
            "l3": cache.read_text(encoding="utf-8").strip() if cache.exists() else "unknown",
            "system": f"{platform.system()} {platform.release()}"}


def slug(what):
    """The machine's part of a file's name: a virtual CPU's name may say no more than its maker."""
    family = "-".join(what["family"].get(key, "") for key in ("cpu family", "model"))
    return re.sub(r"[^a-z0-9]+", "-", f"{what['cpu']} {family} {what['cpus']}cpus".lower()).strip("-")


def versions():
    """What was compared."""

    def first_line(*command):
        try:
            done = subprocess.run(command, check=True, capture_output=True, text=True,
                                  cwd=pathlib.Path(__file__).parent)
            return done.stdout.splitlines()[0]
        except (OSError, subprocess.CalledProcessError, IndexError):
            return "unknown"

    return {"Heddle": first_line("git", "describe", "--always", "--dirty"),
            "clang": first_line("clang++-19", "-dumpversion"),
            "PoCL": first_line("dpkg-query", "-W", "-f", "${Version}\n", "pocl-opencl-icd")}


class Row:
    """What was measured of one workload."""

    def __init__(self, name, rounds):
        self.name = name
        counted = [r for r in rounds if r["good"]]
        self.disturbed = not counted
        self.rounds = counted or rounds
        self.errors = {column: report["error"] for r in rounds for column, report in r["runs"]
                       if report["error"]}
        # The reference engine runs once, in the first round, whether or not that counts.
        self.first = rounds[0]["runs"]

    def runs(self, column):
        found = [report for r in self.rounds for name, report in r["runs"] if name == column]
        found = found or [report for name, report in self.first if name == column]
        return [report for report in found if not report["error"]]

    def time(self, column):
        times = [report["median"] for report in self.runs(column)]
        return statistics.median(times) if times and column not in self.errors else None

    def ratio(self, peer):
        """The peer's time / the candidate's: the median over pairs that ran one after the other."""
        if "simd" in self.errors or peer in self.errors:
            return None
        ratios = []
        for r in self.rounds:
            for (name, report), (next_name, next_report) in zip(r["runs"], r["runs"][1:]):
                if name == "simd" and next_name == peer:
                    ratios.append(next_report["median"] / report["median"])
        if not ratios and self.time(peer) and self.time("simd"):
            return self.time(peer) / self.time("simd")
        return statistics.median(ratios) if ratios else None

    def rate(self, column):
        """(number, unit) of what the column reached; None if the workload counts neither."""
        if self.time(column) is None:
            return None
        report = self.runs(column)[0]
        counted = self.name in COMPUTE and report["flops"]
        kind, unit = ("flops", "GFLOP/s") if counted else ("bytes", "GB/s")
        return (report[kind] / self.time(column) * 1e-9, unit) if report[kind] else None

    def of_bandwidth(self, column):
        """The part of the measured bandwidth that the column reached."""
        parts = []
        for r in self.rounds:
            measured = r["bandwidth"][BANDWIDTH[self.name]]
            parts += [report["bytes"] / report["median"] * 1e-9 / measured for name, report in r["runs"]
                      if name == column and not report["error"]]
        return statistics.median(parts) if parts else None


def rows(result):
    return [Row(name, rounds) for name, rounds in result["workloads"].items()]


def failures(result):
    return [(row.name, column, error) for row in rows(result) for column, error in row.errors.items()]


def fma_peak(result):
    """GFLOP/s of (one thread, all threads), medians of the undisturbed measurements if there are any."""
    good = [rates for rates in result["fma"] if rates["good"]] or result["fma"]
    return tuple(statistics.median(rates[key] for rates in good) for key in ("one", "all"))


def milliseconds(row, column):
    if column in row.errors:
        return "failed"
    time = row.time(column)
    if time is None:
        return "n/a"
    return f"{time * 1e3:.3g}" if time < 1 else f"{time * 1e3:.0f}"


def table(lines):
    """Markdown, with columns aligned so that it can be read as text too."""
    widths = [max(3, *(len(line[i]) for line in lines)) for i in range(len(lines[0]))]
    cells = [[cell.ljust(width) if i == 0 else cell.rjust(width)
              for i, (cell, width) in enumerate(zip(line, widths))] for line in lines]
    rule = ["-" * width if i == 0 else "-" * (width - 1) + ":" for i, width in enumerate(widths)]
    return "\n".join("| " + " | ".join(line) + " |" for line in [cells[0], rule, *cells[1:]])


def main_table(result, measured):
    columns = result["columns"]
    peers = [peer for peer, _, _ in RATIO_GOALS + COST_GOALS if peer in columns]
    ratios = peers if "simd" in columns else []
    rated = [column for column in ("simd", "omp-best") if column in columns] or columns[:1]
    lines = [["workload", *(f"{TITLES[c]}, ms" for c in columns), *(f"{TITLES[c]} reaches" for c in rated),
              *(f"vs {TITLES[p]}" for p in ratios)]]
    for row in measured:
        line = [row.name + (" †" if row.disturbed else "")]
        line += [milliseconds(row, column) for column in columns]
        for column in rated:
            rate = row.rate(column)
            line.append(f"{rate[0]:.3g} {rate[1]}" if rate else "n/a")
        line += [f"{ratio:.2f}" if ratio else "n/a" for ratio in map(row.ratio, ratios)]
        lines.append(line)
    if ratios:
        means = [geometric_mean(measured, peer) for peer in ratios]
        lines.append(["geometric mean", *[""] * (len(columns) + len(rated)),
                      *(f"{mean:.2f}" if mean else "n/a" for mean in means)])
    return table(lines)


def geometric_mean(measured, peer):
    ratios = [row.ratio(peer) for row in measured]
    ratios = [ratio for ratio in ratios if ratio]
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else None


def goals(result, measured):
    """Lines of (goal, what was measured, whether it is met)."""
    lines = []

    def add(goal, value, shown, least):
        lines.append([goal, shown if value is not None else "n/a",
                      "" if value is None else "met" if value >= least else "MISSED"])

    for peer, mean_goal, least_goal in [goal for goal in RATIO_GOALS if goal[0] in result["columns"]]:
        mean = geometric_mean(measured, peer)
        add(f"vs {TITLES[peer]}: geometric mean at least {mean_goal:.1f}", mean, f"{mean or 0:.2f}", mean_goal)
        if least_goal:
            ratios = {row.name: row.ratio(peer) for row in measured if row.ratio(peer)}
            worst = min(ratios, key=ratios.get, default=None)
            below = sum(ratio < least_goal for ratio in ratios.values())
            add(f"vs {TITLES[peer]}: no workload below {least_goal:.1f}", ratios.get(worst),
                f"{ratios.get(worst, 0):.2f} ({worst}); {below} below", least_goal)
    for tool, mean_goal, most_goal in [goal for goal in COST_GOALS if goal[0] in result["columns"]]:
        mean = geometric_mean(measured, tool)
        ratios = {row.name: row.ratio(tool) for row in measured if row.ratio(tool)}
        worst = max(ratios, key=ratios.get, default=None)
        above = sum(ratio > most_goal for ratio in ratios.values())
        add(f"heddle {tool} costs at most {mean_goal:g} times: geometric mean", mean and -mean, f"{mean or 0:.2f}", -mean_goal)
        add(f"heddle {tool}: no workload above {most_goal:g} times", worst and -ratios[worst],
            f"{ratios.get(worst, 0):.1f} ({worst}); {above} above", -most_goal)
    by_name = {row.name: row for row in measured}
    for name in [name for name in BANDWIDTH if name in by_name]:
        part = by_name[name].of_bandwidth("simd")
        add(f"{name}: at least {BANDWIDTH_GOAL:.0%} of the bandwidth of a {BANDWIDTH[name]}", part,
            f"{part or 0:.0%}", BANDWIDTH_GOAL)
    name, least = FMA_GOAL
    if name in by_name:
        rate = by_name[name].rate("simd")
        part = rate and rate[0] / fma_peak(result)[1]
        add(f"{name}: at least {least:.0%} of the FMA peak", part, f"{part or 0:.0%}", least)
    names, factor = CLOSE_TO_OMP
    for name in [name for name in names if name in by_name]:
        ratio = by_name[name].ratio("omp")
        add(f"{name}: within {factor:g} times omp's time", ratio, f"{1 / ratio:.2f} times" if ratio else "",
            1 / factor)
    return lines


def render(result):
    measured = rows(result)
    what = result["machine"]
    one, all_threads = fma_peak(result)
    bandwidth, latency = ({key: statistics.median(m[key] for m in result[part]) for key in result[part][0]}
                          for part in ("bandwidth", "latency"))
    good = sum(rates["good"] for rates in result["fma"])
    family = ", ".join(f"{key} {value}" for key, value in what["family"].items())
    parts = [
        f"# Benchmarks, {result['date']}, {what['cpu']}, {what['cpus']} CPUs",
        f"{what['cpu']} ({family}), L3 cache {what['l3']}, {what['system']}. "
        + (f"Problem size: {result['size']}. " if result["size"] != "full" else "")
        + ", ".join(f"{name} {version}" for name, version in result["versions"].items())
        + f". The run took {result['seconds']} s.",
        f"FMA peak, single precision: one thread {one:.0f} GFLOP/s, all threads {all_threads:.0f} GFLOP/s. "
        f"{good} of {len(result['fma'])} measurements found the threads undisturbed.\n"
        f"Bandwidth, GB/s: copy {bandwidth['copy']:.1f}, triad {bandwidth['triad']:.1f} (both with streaming "
        f"stores), triad with ordinary stores {bandwidth['triad_ordinary_stores']:.1f}, "
        f"reading {bandwidth['read']:.1f}.\n"
        f"8192 cache lines in random order: {latency['together']:.1f} ns a line side by side, {latency['in_pages']:.1f} ns "
        "with a page for each.",
        "Times in milliseconds. \"vs\" is how many times faster the SIMD engine is.",
        main_table(result, measured)]
    if any(row.disturbed for row in measured):
        parts.append("† rests on rounds in which the machine's cores were disturbed: all threads together "
                     "did not reach what that many undisturbed threads do.")
    if "simd" in result["columns"] and result["size"] == "full":
        parts.append(table([["goal", "measured", ""], *goals(result, measured)]))
    if failures(result):
        parts.append("\n".join(["Failed:", "", *(f"* {name}, {TITLES[column]}: {error}"
                                                 for name, column, error in failures(result))]))
    return "\n\n".join(parts)
