// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a benchmark program measures itself.
//
// Each variant of a workload (CUDA, OpenMP, OpenCL ...) is a program of its own. Its main() puts
// the input where the variant computes, and then calls
//
//   const bench::Options options(argc, argv);
//   ...
//   return bench::measure(options, "triad", bytes, flops, [&] { ... }, [&] { return ...; });
//
// The first function runs the workload once, and returns when the result is there. It is called
// many times, so every call must do all of the work from the same input: one that changes its input
// restores it first. The second function looks at the result and returns "" or what is wrong with
// it. `bytes` is the memory traffic that the task cannot do without (each input read once, each
// output written once), `flops` the arithmetic that it counts, 0 if counting it makes no sense.
//
// The program prints one line of JSON and returns 0, or 1 when the result is wrong.
// Options, which bench/run.py gives:
//   --size small   a problem for testing, instead of the one for measuring
//   --seconds S    repeat for about S seconds (default 0.5) ...
//   --min-runs N   ... and at least N times (default 5), not counting the first, which warms up;
//                  1: only once
//   --no-check     do not look at the result
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

namespace bench {

struct Options {
  bool small = false;
  bool check = true;
  double seconds = 0.5;
  int minRuns = 5;

  Options(int argc, char **argv) {
    for (int i = 1; i < argc; ++i) {
      const std::string name = argv[i];
      if (name == "--no-check") {
        check = false;
        continue;
      }
      const char *value = i + 1 < argc ? argv[++i] : "";
      if (name == "--size" && (!std::strcmp(value, "small") || !std::strcmp(value, "full")))
        small = !std::strcmp(value, "small");
      else if (name == "--seconds" && std::atof(value) > 0)
        seconds = std::atof(value);
      else if (name == "--min-runs" && std::atoi(value) > 0)
        minRuns = std::atoi(value);
      else
        fail("cannot understand the option " + name + " " + value);
    }
  }

  [[noreturn]] static void fail(const std::string &message) {
    std::fprintf(stderr, "error: %s\n", message.c_str());
    std::exit(2);
  }
};

/// Prints what bench/run.py reads. Times are in seconds.
inline void report(const Options &options, const char *workload, double bytes, double flops,
                   std::vector<double> times, const std::string &error) {
  std::sort(times.begin(), times.end());
  const std::size_t half = times.size() / 2;
  const double median =
      times.size() % 2 ? times[half] : (times[half - 1] + times[half]) / 2; // at least one run
  std::string quoted;
  for (const char c : error)
    quoted += c == '"' || c == '\\' || c < ' ' ? '\'' : c;
  std::printf(
      "{\"workload\": \"%s\", \"size\": \"%s\", \"median\": %.9f, \"min\": %.9f, "
      "\"runs\": %zu, \"bytes\": %.0f, \"flops\": %.0f, \"checked\": %s, \"error\": \"%s\"}\n",
      workload, options.small ? "small" : "full", median, times.front(), times.size(), bytes, flops,
      options.check ? "true" : "false", quoted.c_str());
}

template <class Run, class Check>
int measure(const Options &options, const char *workload, double bytes, double flops, Run &&run,
            Check &&check) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  try {
    // The first run compiles what is compiled late and touches memory for the first time; the next
    // ones let the caches and the clock frequency settle. All of this is nothing to a run of
    // seconds, which counts if one run is enough.
    const auto warmUp = Clock::now();
    run();
    std::vector<double> times;
    if (const double first = since(warmUp); first > 1 && options.minRuns == 1)
      times.push_back(first);
    while (since(warmUp) < options.seconds / 5)
      run();

    const auto begin = Clock::now();
    while (int(times.size()) < options.minRuns ||
           (since(begin) < options.seconds && options.minRuns > 1)) {
      const auto start = Clock::now();
      run();
      times.push_back(since(start));
    }
    const std::string error = options.check ? std::string(check()) : std::string();
    report(options, workload, bytes, flops, times, error);
    return error.empty() ? 0 : 1;
  } catch (const std::exception &exception) {
    std::fprintf(stderr, "error: %s\n", exception.what());
    return 1;
  }
}

} // namespace bench
