// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddle profile: runs a program in code that counts what a GPU would do (src/profile), and tells
// what it has counted. The program's processes leave their profiles in a folder, also if they
// crash.
#include "cli/commands.h"
#include "cli/nearest.h"
#include "cli/profile/options.h"
#include "cli/profile/report.h"
#include "cli/run.h"
#include "cli/supervise.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;

namespace heddle::cli {
namespace {

// Processes of one program: each has its own kernels and events.
bool collect(const fs::path &folder, profile::Profile &result) {
  bool any = false;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".json")
      continue;
    std::ifstream file(entry.path());
    const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
    if (json.is_discarded())
      continue;
    profile::Profile one = profile::fromJson(json);
    if (!any)
      result.gpu = one.gpu;
    any = true;
    result.complete &= one.complete;
    result.events_left_out += one.events_left_out;
    std::move(one.kernels.begin(), one.kernels.end(), std::back_inserter(result.kernels));
    std::move(one.events.begin(), one.events.end(), std::back_inserter(result.events));
  }
  return any;
}

Words settingsOf(const ProfileOptions &options, const fs::path &folder) {
  Words settings = {"HEDDLE_PROFILE_FOLDER=" + folder.string(),
                    "HEDDLE_PROFILE_KERNEL=" + options.kernel,
                    "HEDDLE_PROFILE_LAUNCH=" +
                        (options.launch ? std::to_string(*options.launch) : std::string())};
  if (!options.gpu.empty())
    settings.push_back("HEDDLE_GPU=" + options.gpu);
  return settings;
}

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

void tell(const profile::Profile &profile, const ProfileOptions &options) {
  if (!options.trace.empty())
    writeTrace(options.trace, profile);
  if (options.csv)
    printCsv(stdout, profile, options);
  else if (options.json)
    printProfileJson(stdout, profile);
  else
    printProfile(stderr, profile, options);
  if ((options.csv || options.json) && (std::fflush(stdout) != 0 || std::ferror(stdout)))
    throw std::runtime_error(fmt::format("cannot write: {}", std::strerror(errno)));
}

} // namespace

int profileCommand(const std::vector<std::string> &arguments) {
  const ProfileOptions options = parseProfileOptions(arguments);
  const ScratchFolder folder;
  const int code =
      runWatched(options.rest, options.program_arguments, settingsOf(options, folder.path()));
  profile::Profile profile;
  const bool any = collect(folder.path(), profile);
  if (!any && code != 0) // it did not compile, or did not even start
    return code;
  if (!any)
    throw std::runtime_error("the program has not used Heddle's CUDA library");
  if (!profile.complete)
    fmt::print(stderr, "heddle profile: the program did not come to its end; this is what was "
                       "counted until then\n");
  const bool chosen = options.launch || !options.kernel.empty();
  if (chosen && profile.kernels.empty())
    throw std::runtime_error(noSuchKernel(profile, options));
  tell(profile, options);
  return code;
}

} // namespace heddle::cli
