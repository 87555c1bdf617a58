// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/profile/run_profiled.h"

#include "cli/supervise.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace fs = std::filesystem;

namespace heddle::cli {
namespace {

// Processes of one program: each has its own kernels and events.
std::optional<profile::Profile> collect(const fs::path &folder) {
  std::optional<profile::Profile> result;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".json")
      continue;
    std::ifstream file(entry.path());
    const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
    if (json.is_discarded())
      continue;
    profile::Profile one = profile::fromJson(json);
    if (!result) {
      result = std::move(one);
      continue;
    }
    result->complete &= one.complete;
    result->caches |= one.caches;
    result->events_left_out += one.events_left_out;
    std::move(one.kernels.begin(), one.kernels.end(), std::back_inserter(result->kernels));
    std::move(one.events.begin(), one.events.end(), std::back_inserter(result->events));
  }
  return result;
}

// A line that is written over again, which a file, a pipe or a dumb terminal cannot show.
bool showsProgress() {
  const char *terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) && !(terminal && std::strcmp(terminal, "dumb") == 0);
}

Words settingsOf(const ProfiledRun &run, const fs::path &folder) {
  Words settings = {"HEDDLE_PROFILE_FOLDER=" + folder.string(),
                    "HEDDLE_PROFILE_KERNEL=" + run.kernel,
                    "HEDDLE_PROFILE_LAUNCH=" +
                        (run.launch ? std::to_string(*run.launch) : std::string()),
                    std::string("HEDDLE_PROFILE_EACH=") + (run.each_launch ? "1" : ""),
                    std::string("HEDDLE_PROFILE_FROM_API=") + (run.from_api ? "1" : ""),
                    std::string("HEDDLE_PROFILE_CACHES=") + (run.caches ? "1" : ""),
                    std::string("HEDDLE_PROFILE_PROGRESS=") + (showsProgress() ? "1" : "")};
  if (!run.gpu.empty())
    settings.push_back("HEDDLE_GPU=" + run.gpu);
  return settings;
}

} // namespace

ProfiledResult runProfiled(const ProfiledRun &run) {
  const ScratchFolder folder;
  ProfiledResult result;
  result.exit_code = runWatched(run.what, run.program_arguments, settingsOf(run, folder.path()));
  result.profile = collect(folder.path());
  result.lost = !result.profile && !fs::is_empty(folder.path()); // "….part"
  return result;
}

} // namespace heddle::cli
