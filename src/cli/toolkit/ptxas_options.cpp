// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/toolkit/ptxas_options.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>

namespace heddle::cli {
namespace {

using llvm::StringRef;

constexpr unsigned gpus[] = {50, 52, 53, 60, 61,  62,  70,  72,  75,  80, 86,
                             87, 88, 89, 90, 100, 101, 103, 110, 120, 121};

PtxasUsage badValue(const std::string &value, StringRef option) {
  return PtxasUsage(fmt::format("Value '{}' is not defined for option '{}'", value, option.str()));
}

PtxTarget gpuNamed(const std::string &name) {
  StringRef word = name;
  const bool is_virtual = word.consume_front("compute_");
  const auto target = parsePtxTarget(is_virtual ? "sm_" + word.str() : name);
  if (!target || std::ranges::find(gpus, target->sm) == std::end(gpus) ||
      (target->suffix == 'a' && target->sm < 90) || (target->suffix == 'f' && target->sm < 100))
    throw badValue(name, "gpu-name");
  return *target;
}

unsigned numberIn(const std::string &value, StringRef option, unsigned most) {
  unsigned number = 0;
  if (StringRef(value).getAsInteger(0, number) || number > most)
    throw badValue(value, option);
  return number;
}

bool truthIn(const std::string &value, StringRef option) {
  if (value != "true" && value != "false" && value != "1" && value != "0")
    throw badValue(value, option);
  return value == "true" || value == "1";
}

struct Option {
  const char *name, *brief; // --name, -brief
  enum Value { None, Needed } value;
  std::function<void(PtxasOptions &, const std::string &)> set; // empty: it has no effect
};

std::function<void(PtxasOptions &, const std::string &)> flag(bool PtxasOptions::*member) {
  return [member](PtxasOptions &options, const std::string &) { options.*member = true; };
}

const std::vector<Option> &table() {
  using Set = const std::string &;
  static const std::vector<Option> all = {
      {"gpu-name", "arch", Option::Needed,
       [](PtxasOptions &options, Set value) { options.gpu = gpuNamed(value); }},
      {"output-file", "o", Option::Needed,
       [](PtxasOptions &options, Set value) { options.output = value; }},
      {"opt-level", "O", Option::Needed,
       [](PtxasOptions &options, Set value) {
         options.optimize = numberIn(value, "opt-level", 4);
       }},
      {"maxrregcount", "maxrregcount", Option::Needed,
       [](PtxasOptions &options, Set value) {
         options.max_registers = numberIn(value, "maxrregcount", 1u << 16);
       }},
      {"fmad", "fmad", Option::Needed,
       [](PtxasOptions &options, Set value) { options.fuse = truthIn(value, "fmad"); }},
      {"entry", "e", Option::Needed,
       [](PtxasOptions &options, Set value) { options.entry = value; }},
      {"machine", "m", Option::Needed,
       [](PtxasOptions &, Set value) {
         if (value != "64")
           throw badValue(value, "machine");
       }},
      {"version", "V", Option::None,
       [](PtxasOptions &options, Set) { options.action = PtxasOptions::ShowVersion; }},
      {"help", "h", Option::None,
       [](PtxasOptions &options, Set) { options.action = PtxasOptions::ShowHelp; }},
      {"verbose", "v", Option::None, flag(&PtxasOptions::verbose)},
      {"device-debug", "g", Option::None, flag(&PtxasOptions::debug)},
      {"compile-only", "c", Option::None, flag(&PtxasOptions::relocatable)},
      {"input-as-string", "ias", Option::None, flag(&PtxasOptions::input_is_text)},
      {"warn-on-double-precision-use", "warn-double-usage", Option::None,
       flag(&PtxasOptions::warn_doubles)},
      {"warn-on-local-memory-usage", "warn-lmem-usage", Option::None,
       flag(&PtxasOptions::warn_local)},
      {"disable-warnings", "w", Option::None, flag(&PtxasOptions::no_warnings)},
      {"warning-as-error", "Werror", Option::None, flag(&PtxasOptions::warnings_are_errors)},
      // Registers are not spilled here, lines are always kept, and caches are the processor's.
      {"warn-on-spills", "warn-spills", Option::None, {}},
      {"generate-line-info", "lineinfo", Option::None, {}},
      {"suppress-debug-info", "suppress-debug-info", Option::None, {}},
      {"allow-expensive-optimizations", "allow-expensive-optimizations", Option::Needed, {}},
      {"def-load-cache", "dlcm", Option::Needed, {}},
      {"def-store-cache", "dscm", Option::Needed, {}},
      {"force-load-cache", "flcm", Option::Needed, {}},
      {"force-store-cache", "fscm", Option::Needed, {}},
      {"device-function-maxrregcount", "func-maxrregcount", Option::Needed, {}},
      {"disable-optimizer-constants", "disable-optimizer-consts", Option::None, {}},
      {"disable-smem-reservation", "disable-smem-reservation", Option::None, {}},
      {"dont-merge-basicblocks", "no-bb-merge", Option::None, {}},
      {"extensible-whole-program", "ewp", Option::None, {}},
      {"fast-compile", "fc", Option::None, {}},
      {"jump-table-density", "jtd", Option::Needed, {}},
      {"legacy-bar-warp-wide-behavior", "legacy-bar-warp-wide-behavior", Option::None, {}},
      {"optimize-float-atomics", "opt-fp-atomics", Option::None, {}},
      {"override-directive-values", "override-directive-values", Option::None, {}},
      {"position-independent-code", "pic", Option::Needed, {}},
      {"preserve-relocs", "preserve-relocs", Option::None, {}},
      {"regAllocOptLevel", "regAllocOptLevel", Option::Needed, {}},
      {"return-at-end", "ret-end", Option::None, {}},
      {"sp-bounds-check", "sp-bounds-check", Option::None, {}},
      {"split-compile", "split-compile", Option::Needed, {}},
      {"suppress-async-bulk-multicast-advisory-warning",
       "suppress-async-bulk-multicast-advisory-warning",
       Option::None,
       {}},
      {"suppress-double-demote-warning", "suppress-double-demote-warning", Option::None, {}},
      {"suppress-stack-size-warning", "suppress-stack-size-warning", Option::None, {}},
      {"uumn", "uumn", Option::None, {}}};
  return all;
}

class Reader {
public:
  explicit Reader(std::vector<std::string> words) : words_(std::move(words)) {}

  PtxasOptions read() {
    for (at_ = 0; at_ < words_.size(); ++at_) {
      const std::string word = words_[at_];
      if (word.size() < 2 || word[0] != '-')
        options_.inputs.push_back(word);
      else
        readOption(word);
    }
    return std::move(options_);
  }

private:
  void readOption(const std::string &word) {
    const auto [name, value] = StringRef(word).ltrim('-').split('=');
    const bool assigned = StringRef(word).contains('=');
    if (name == "options-file" || name == "optf")
      return insertFile(assigned ? value.str() : next(word));
    for (const Option &option : table()) {
      if (name != option.name && name != option.brief)
        continue;
      if (option.value == Option::None && assigned && !truthIn(value.str(), option.name))
        return;
      const std::string given = option.value == Option::None ? ""
                                : assigned                   ? value.str()
                                                             : next(word);
      if (option.set)
        option.set(options_, given);
      return;
    }
    // -O2, -j4: the value without a space.
    if (name.size() == 2 && name[0] == 'O' && llvm::isDigit(name[1])) {
      options_.optimize = numberIn(name.drop_front().str(), "opt-level", 4);
      return;
    }
    throw PtxasUsage(fmt::format("Unknown option '{}'", word));
  }

  std::string next(const std::string &option) {
    if (at_ + 1 >= words_.size())
      throw PtxasUsage(fmt::format("Missing argument for option '{}'", option));
    return words_[++at_];
  }

  void insertFile(const std::string &name) {
    std::ifstream file(name);
    if (!file || ++files_ > 16)
      throw PtxasUsage(fmt::format("Could not open options file '{}'", name));
    const std::vector<std::string> more{std::istream_iterator<std::string>(file), {}};
    words_.insert(words_.begin() + long(at_) + 1, more.begin(), more.end());
  }

  std::vector<std::string> words_;
  size_t at_ = 0;
  unsigned files_ = 0;
  PtxasOptions options_;
};

} // namespace

PtxasOptions parsePtxasOptions(std::span<char *const> words) {
  return Reader({words.begin(), words.end()}).read();
}

std::string ptxasHelp() {
  std::string text = "Usage: ptxas [options] file.ptx\n"
                     "Compiles PTX to an image, which cuModuleLoadData, cuobjdump and nvdisasm "
                     "read in the place of a cubin.\n\nOptions\n=======\n";
  for (const Option &option : table())
    text += fmt::format("--{}{}  (-{}){}\n", option.name,
                        option.value == Option::Needed ? " <value>" : "", option.brief,
                        option.set ? "" : "  has no effect");
  return text;
}

} // namespace heddle::cli
