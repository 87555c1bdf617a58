// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/profile/run_profiled.h"

#include "cli/commands.h"
#include "cli/supervise.h"

#include <algorithm>
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

void add(profile::Transfers &sum, const profile::Transfers &more) {
  if (!more.count)
    return;
  sum.least = sum.count ? std::min(sum.least, more.least) : more.least;
  sum.most = std::max(sum.most, more.most);
  sum.count += more.count;
  sum.bytes += more.bytes;
}

void add(profile::UnifiedMemory &sum, const profile::UnifiedMemory &more) {
  add(sum.to_device, more.to_device);
  add(sum.to_host, more.to_host);
  sum.gpu_faults += more.gpu_faults;
  sum.cpu_faults += more.cpu_faults;
}

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
    add(result->unified_memory, one.unified_memory);
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

ProfiledResult runBuilt(const ProfiledRun &run) {
  if (findProgram(run.what.front()).empty())
    throw UsageError(run.what.front() + ": no such program, neither here nor in PATH");
  ProfiledResult result = runProfiled(run);
  if (!result.profile && result.exit_code == 0)
    throw std::runtime_error(result.lost ? "the numbers are lost: TMPDIR has no room for them"
                                         : "the program has not used CUDA");
  return result;
}

} // namespace heddle::cli
