// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddle profile: runs a program in code that counts what a GPU would do (src/profile), and tells
// what it has counted. The program's processes leave their profiles in a folder, also if they
// crash.
#include "cli/commands.h"
#include "cli/nearest.h"
#include "cli/profile/assertions.h"
#include "cli/profile/expectations.h"
#include "cli/profile/options.h"
#include "cli/profile/page/page.h"
#include "cli/profile/report.h"
#include "cli/profile/run_profiled.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <system_error>

namespace heddle::cli {
namespace {

// Nothing was chosen: what is there to choose from?
std::string noSuchKernel(const profile::Profile &profile, const ProfileOptions &options) {
  std::vector<std::string> names;
  for (const profile::Event &event : profile.events)
    if (event.kind == "kernel" && std::find(names.begin(), names.end(), event.name) == names.end())
      names.push_back(event.name);
  if (names.empty())
    return "the program has launched no kernel";
  std::string list;
  for (const std::string &name : nearestNames(options.kernel, names, 5))
    list += (list.empty() ? "" : ", ") + name;
  if (options.launch)
    return fmt::format("no kernel has a launch number {}; there are {}", *options.launch, list);
  return fmt::format("--kernel {} matches no kernel; there are {}", options.kernel, list);
}

void writeReport(const profile::Profile &profile, const ProfileOptions &options) {
  std::FILE *file = std::fopen(options.report.c_str(), "w");
  bool good = file;
  if (file) {
    try {
      printProfile(file, profile, options);
    } catch (const std::system_error &) { // as fmt::print says it, without the file's name
      good = false;
    }
    good = std::ferror(file) == 0 && good;
    good = std::fclose(file) == 0 && good;
  }
  if (!good)
    throw std::runtime_error(
        fmt::format("cannot write {}: {}", options.report, std::strerror(errno)));
}

void tell(const profile::Profile &profile, const ProfileOptions &options) {
  if (options.csv)
    printCsv(stdout, profile, options);
  else if (options.json)
    printProfileJson(stdout, profile);
  else if (!options.report.empty())
    writeReport(profile, options);
  else
    printProfile(stderr, profile, options);
  if ((options.csv || options.json) && (std::fflush(stdout) != 0 || std::ferror(stdout)))
    throw std::runtime_error(fmt::format("cannot write: {}", std::strerror(errno)));
}

// A disk may be full: what can be told elsewhere is. Returns the first failure.
std::exception_ptr tellAll(const profile::Profile &profile, const ProfileOptions &options,
                           bool numbers) {
  std::exception_ptr failure;
  const auto attempt = [&](const auto &action) {
    try {
      action();
      return true;
    } catch (...) {
      if (!failure)
        failure = std::current_exception();
      return false;
    }
  };
  if (numbers && !attempt([&] { tell(profile, options); }))
    printProfile(stderr, profile, options);
  if (!options.trace.empty())
    attempt([&] { writeTrace(options.trace, profile); });
  if (!options.html.empty())
    attempt([&] { writePage(options.html, profile, options.rest.front()); });
  return failure;
}

} // namespace

namespace {

int profileProgram(const ProfileOptions &options, bool only_expect) {
  std::vector<Expectation> expectations;
  if (!options.expect.empty())
    expectations = readExpectations(options.expect);
  bool caches = options.caches;
  for (const Expectation &one : expectations)
    caches |= one.metric->of_caches;
  const ProfiledResult result = runProfiled({.what = options.rest,
                                             .program_arguments = options.program_arguments,
                                             .kernel = options.kernel,
                                             .launch = options.launch,
                                             .gpu = options.gpu,
                                             .from_api = options.from_api,
                                             .caches = caches});
  if (!result.profile && result.exit_code != 0) // it did not compile, or did not even start
    return result.exit_code;
  if (result.lost)
    throw std::runtime_error("the numbers are lost, as they could not be written to a file in "
                             "TMPDIR");
  if (!result.profile)
    throw std::runtime_error("the program has not used Heddle's CUDA library");
  const profile::Profile &profile = *result.profile;
  if (!profile.complete)
    fmt::print(stderr, "heddle profile: the program did not come to its end; this is what was "
                       "counted until then\n");
  const bool chosen = options.launch || !options.kernel.empty();
  if (chosen && profile.kernels.empty())
    throw std::runtime_error(noSuchKernel(profile, options));
  if (options.from_api && profile.kernels.empty() && profile.events.empty())
    throw std::runtime_error("--from-api: the program has not called cudaProfilerStart, or done "
                             "nothing until cudaProfilerStop");
  const std::exception_ptr failure = tellAll(profile, options, !only_expect);
  std::vector<std::string> broken = brokenAssertions(profile);
  for (std::string &what : brokenExpectations(expectations, profile))
    broken.push_back(std::move(what));
  for (const std::string &what : broken)
    fmt::print(stderr, "heddle profile: {}\n", what);
  if (failure)
    std::rethrow_exception(failure);
  if (only_expect && broken.empty())
    fmt::print(stderr, "heddle expect: all {} expectations hold\n", expectations.size());
  return broken.empty() || result.exit_code != 0 ? result.exit_code : 1;
}

} // namespace

int profileCommand(const std::vector<std::string> &arguments) {
  return profileProgram(parseProfileOptions(arguments), false);
}

int expectCommand(const std::vector<std::string> &arguments) {
  if (arguments.empty())
    throw UsageError("no file of expectations; see heddle expect --help");
  std::vector<std::string> words = {"--expect"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return profileProgram(parseProfileOptions(words), true);
}

} // namespace heddle::cli
