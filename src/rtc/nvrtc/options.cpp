// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rtc/nvrtc/options.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <functional>

namespace heddle::rtc {
namespace {

enum class Kind { Flag, Bool, Value, Number };

struct Option {
  const char *name;  // with its dashes
  const char *other; // the short name, or null
  Kind kind;
  const char *passed; // heddlecc's name for it; null: no effect here
  // Joined to the value ("-DX"), or followed by "=value".
  bool joined = false;
};

// What has no effect is about GPU code that Heddle does not make, or about messages.
constexpr Option table[] = {
    {"--relocatable-device-code", "-rdc", Kind::Bool, "-rdc"},
    {"--extensible-whole-program", "-ewp", Kind::Flag, nullptr},
    {"--device-debug", "-G", Kind::Flag, "-G"},
    {"--generate-line-info", "-lineinfo", Kind::Flag, "-lineinfo"},
    {"--dopt", "-dopt", Kind::Value, nullptr},
    {"--ptxas-options", "-Xptxas", Kind::Value, nullptr},
    {"--maxrregcount", "-maxrregcount", Kind::Number, "-maxrregcount"},
    {"--ftz", "-ftz", Kind::Bool, "-ftz"},
    {"--prec-sqrt", "-prec-sqrt", Kind::Bool, nullptr},
    {"--prec-div", "-prec-div", Kind::Bool, nullptr},
    {"--fmad", "-fmad", Kind::Bool, "-fmad"},
    {"--use_fast_math", "-use_fast_math", Kind::Flag, "-use_fast_math"},
    {"--extra-device-vectorization", "-extra-device-vectorization", Kind::Flag, nullptr},
    {"--modify-stack-limit", "-modify-stack-limit", Kind::Bool, nullptr},
    {"--gen-opt-lto", "-gen-opt-lto", Kind::Flag, nullptr},
    {"--jump-table-density", "-jtd", Kind::Number, nullptr},
    {"--device-stack-protector", "-device-stack-protector", Kind::Bool, nullptr},
    {"--define-macro", "-D", Kind::Value, "-D", true},
    {"--undefine-macro", "-U", Kind::Value, "-U", true},
    {"--include-path", "-I", Kind::Value, "-I", true},
    {"--pre-include", "-include", Kind::Value, "-include"},
    {"--no-source-include", "-no-source-include", Kind::Flag, nullptr},
    {"--std", "-std", Kind::Value, "-std"},
    {"--builtin-move-forward", "-builtin-move-forward", Kind::Bool, nullptr},
    {"--builtin-initializer-list", "-builtin-initializer-list", Kind::Bool, nullptr},
    {"--disable-warnings", "-w", Kind::Flag, "-w"},
    {"--Wreorder", "-Wreorder", Kind::Flag, nullptr},
    {"--warning-as-error", "-Werror", Kind::Value, nullptr},
    {"--restrict", "-restrict", Kind::Flag, nullptr},
    {"--device-int128", "-device-int128", Kind::Flag, nullptr},
    {"--device-float128", "-device-float128", Kind::Flag, nullptr},
    {"--optimization-info", "-opt-info", Kind::Value, nullptr},
    {"--display-error-number", "-err-no", Kind::Flag, nullptr},
    {"--no-display-error-number", "-no-err-no", Kind::Flag, nullptr},
    {"--diag-error", "-diag-error", Kind::Value, nullptr},
    {"--diag-suppress", "-diag-suppress", Kind::Value, nullptr},
    {"--diag-warn", "-diag-warn", Kind::Value, nullptr},
    {"--brief-diagnostics", "-brief-diag", Kind::Bool, nullptr},
    {"--time", "-time", Kind::Value, nullptr},
    {"--split-compile", "-split-compile", Kind::Number, nullptr},
    {"--fdevice-syntax-only", "-fdevice-syntax-only", Kind::Flag, nullptr},
    {"--minimal", "-minimal", Kind::Flag, nullptr},
    {"--version-ident", "-dQ", Kind::Bool, nullptr},
    {"--device-w", "-dw", Kind::Flag, nullptr},
    // Of CUDA 12.8. Heddle precompiles its own headers only.
    {"--pch", "-pch", Kind::Flag, nullptr},
    {"--create-pch", "-create-pch", Kind::Value, nullptr},
    {"--pch-dir", "-pch-dir", Kind::Value, nullptr},
    {"--pch-verbose", "-pch-verbose", Kind::Bool, nullptr},
    {"--pch-messages", "-pch-messages", Kind::Bool, nullptr},
    {"--no-cache", "-no-cache", Kind::Flag, nullptr},
};

bool isNumber(const std::string &text) {
  return !text.empty() && text.size() < 10 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

class Parser {
public:
  explicit Parser(const std::vector<std::string> &words) : words_(words) {}

  NvrtcOptions parse() {
    for (at_ = 0; at_ < words_.size(); ++at_)
      take();
    return std::move(options_);
  }

private:
  void take() {
    std::string word = words_[at_];
    // "-I folder" may be one string.
    const size_t first = word.find_first_not_of(" \t"), last = word.find_last_not_of(" \t");
    if (first == std::string::npos)
      return;
    word = word.substr(first, last - first + 1);
    for (const Option &option : table)
      for (const char *name : {option.name, option.other})
        if (matches(word, name, option)) {
          apply(option, word, name);
          return;
        }
    for (const char *name : {"--gpu-architecture", "-arch"})
      if (matches(word, name, {name, nullptr, Kind::Value, nullptr})) {
        setArchitecture(valueOf(word, name));
        return;
      }
    if (word == "--device-c" || word == "-dc")
      options_.compiler.push_back("-rdc=true");
    else if (word == "--dlink-time-opt" || word == "-dlto")
      options_.link_later = true;
    else if (word == "--device-as-default-execution-space" || word == "-default-device")
      options_.all_for_device = true;
    else
      options_.bad.push_back(fmt::format("nvrtc: error: unrecognized option {} found", word));
  }

  static bool matches(const std::string &word, const char *name, const Option &option) {
    const std::string text = name;
    if (!word.starts_with(text))
      return false;
    if (word.size() == text.size())
      return true;
    const char next = word[text.size()];
    if (option.kind == Kind::Flag)
      return false;
    return next == '=' || next == ' ' || (text.size() == 2 && option.joined);
  }

  /// What follows the name in the word, or the next word.
  std::string valueOf(const std::string &word, const std::string &name) {
    std::string value = word.substr(name.size());
    if (value.empty()) {
      if (at_ + 1 == words_.size()) {
        options_.bad.push_back(fmt::format("nvrtc: error: expected an argument after {}", name));
        return "";
      }
      return words_[++at_];
    }
    if (value[0] == '=')
      return value.substr(1);
    const size_t first = value.find_first_not_of(" \t");
    return first == std::string::npos ? "" : value.substr(first);
  }

  void apply(const Option &option, const std::string &word, const std::string &name) {
    if (option.kind == Kind::Flag) {
      if (option.passed)
        options_.compiler.push_back(option.passed);
      return;
    }
    // "--dopt" and "-dopt=on": a value that may be missing.
    if (name.ends_with("-dopt") && word == name)
      return;
    const std::string value = valueOf(word, name);
    const bool good = option.kind == Kind::Number ? isNumber(value)
                      : option.kind == Kind::Bool ? value == "true" || value == "false"
                                                  : !value.empty() && goodStandard(option, value);
    if (!good) {
      options_.bad.push_back(fmt::format("nvrtc: error: invalid value '{}' for {}", value,
                                         option.other
                                             ? fmt::format("{} ({})", option.name, option.other)
                                             : std::string(option.name)));
      return;
    }
    if (option.passed)
      options_.compiler.push_back(option.joined ? option.passed + value
                                                : fmt::format("{}={}", option.passed, value));
  }

  static bool goodStandard(const Option &option, const std::string &value) {
    static const std::vector<std::string> known = {"c++03", "c++11", "c++14",
                                                   "c++17", "c++20", "gnu++17"};
    return std::string(option.name) != "--std" ||
           std::find(known.begin(), known.end(), value) != known.end();
  }

  void setArchitecture(const std::string &value) {
    const bool real = value.starts_with("sm_"), is_virtual = value.starts_with("compute_");
    std::string number = value.substr(real ? 3 : is_virtual ? 8 : 0);
    // Of this GPU alone, of its family: the first GPUs that have such features.
    const int first_special = number.ends_with('a') ? 90 : number.ends_with('f') ? 100 : 0;
    if (first_special)
      number.pop_back();
    const auto &known = supportedArchs();
    if ((!real && !is_virtual) || !isNumber(number) ||
        std::find(known.begin(), known.end(), std::stoi(number)) == known.end() ||
        std::stoi(number) < first_special) {
      options_.bad.push_back("nvrtc: error: invalid value for --gpu-architecture (-arch)");
      return;
    }
    options_.real_architecture = real;
    options_.compiler.push_back("-arch=" + value);
  }

  const std::vector<std::string> &words_;
  size_t at_ = 0;
  NvrtcOptions options_;
};

} // namespace

const std::vector<int> &supportedArchs() {
#if __HEDDLE_CUDA__ >= 13
  static const auto &archs =
      *new std::vector<int>{75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
#else
  static const auto &archs = *new std::vector<int>{50, 52, 53, 60, 61,  62,  70,  72,  75, 80,
                                                   86, 87, 89, 90, 100, 101, 103, 120, 121};
#endif
  return archs;
}

NvrtcOptions parseNvrtcOptions(const std::vector<std::string> &words) {
  return Parser(words).parse();
}

} // namespace heddle::rtc
