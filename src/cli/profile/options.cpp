// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/profile/options.h"

#include "cli/option_reader.h"
#include "cli/profile/page/page.h"
#include "cli/run.h"
#include "gpu/gpu.h"
#include "support/paths.h"

#include <filesystem>
#include <regex>

namespace heddle::cli {
namespace {

void check(ProfileOptions &options) {
  if (options.rest.empty())
    throw UsageError("no program to profile; see heddle profile --help");
  if (options.csv && options.json)
    throw UsageError("--csv and --json exclude each other");
  if (!options.html.empty() && !hasPage())
    throw UsageError(
        "--html: this build of Heddle has no page, as npm or its packages were missing "
        "when it was made; ./dev setup installs them, and --json has the numbers");
  try {
    const std::regex valid(options.kernel);
  } catch (const std::regex_error &) {
    throw UsageError("--kernel " + options.kernel + ": not a regular expression");
  }
  try {
    if (options.gpu.ends_with(".json")) // the program may have another current folder
      options.gpu = std::filesystem::absolute(options.gpu);
    if (!options.gpu.empty())
      (void)gpu::load(options.gpu, installRoot() / "share" / "heddle" / "gpus");
  } catch (const std::exception &unknown) {
    throw UsageError(std::string("--gpu: ") + unknown.what());
  }
}

} // namespace

ProfileOptions parseProfileOptions(const std::vector<std::string> &arguments) {
  ProfileOptions options;
  OptionReader reader(arguments);
  std::string value;
  bool all = false; // metrics; which does not mean that caches are modelled
  while (!reader.atEnd()) {
    if (reader.flag("--")) {
      options.program_arguments = reader.takeRest();
    } else if (reader.flag("--lines")) {
      options.lines = true;
    } else if (reader.flag("--csv")) {
      options.csv = true;
    } else if (reader.flag("--json")) {
      options.json = true;
    } else if (reader.option("--kernel", options.kernel) ||
               reader.option("--trace", options.trace) || reader.option("--gpu", options.gpu) ||
               reader.option("--html", options.html) || reader.option("--report", options.report) ||
               reader.option("--expect", options.expect)) {
      continue;
    } else if (reader.flag("--caches")) {
      options.caches = true;
    } else if (reader.flag("--from-api")) {
      options.from_api = true;
    } else if (reader.option("--launch", value)) {
      options.launch = numberFrom(1, "--launch", value);
    } else if (reader.option("--metrics", value)) {
      for (const std::string &name : splitAtCommas(value)) {
        all |= name == "all";
        if (name == "all")
          for (const Metric &metric : metrics())
            options.metrics.push_back(&metric);
        else
          options.metrics.push_back(&findMetric(name));
      }
    } else {
      options.rest.push_back(reader.take());
      if (options.rest.size() == 1 && isInPath(options.rest.front()))
        options.program_arguments = reader.takeRest();
    }
  }
  for (const Metric *metric : options.metrics)
    options.caches |= metric->of_caches && !all;
  check(options);
  return options;
}

} // namespace heddle::cli
