// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broken PTX: no text may crash the front end, hang it or go without a log.
//
//   ptx_fuzz SEEDS-FOLDER COUNT [FIRST]
//
// Each input is a seed with some pieces deleted, doubled, exchanged or replaced, by a number that
// is printed when something is wrong. What is read without errors goes on as a module does.
#include "module/ptx/module/compile.h"
#include "module/ptx/module/front_end.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

constexpr unsigned seconds_for_one = 20;
constexpr size_t most_growth = size_t(300) << 20;
uint64_t current = 0, translated = 0;

void report(const char *what) {
  std::printf("input %llu: %s\n", static_cast<unsigned long long>(current), what);
  std::fflush(stdout);
}

void onSignal(int signal) {
  report(signal == SIGALRM ? "it takes too long" : "a crash");
  _exit(1);
}

size_t memoryInUse() {
  size_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * size_t(sysconf(_SC_PAGESIZE));
}

std::vector<std::string> readSeeds(const char *folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds;
  for (const auto &path : paths) {
    std::ifstream file(path, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return seeds;
}

/// Words, numbers and signs, with the blanks before them.
std::vector<std::string> split(const std::string &text) {
  const auto isWord = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%';
  };
  std::vector<std::string> pieces;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && std::isspace(static_cast<unsigned char>(text[end])))
      ++end;
    if (end < text.size() && isWord(text[end]))
      while (end < text.size() && isWord(text[end]))
        ++end;
    else
      end = std::min(end + 1, text.size());
    pieces.push_back(text.substr(i, end - i));
    i = end;
  }
  return pieces;
}

class Mutator {
public:
  Mutator(const std::vector<std::string> &seeds, uint64_t number) : random_(number) {
    pieces_ = split(seeds[upTo(seeds.size())]);
    others_ = split(seeds[upTo(seeds.size())]);
  }

  std::string run() {
    for (size_t left = 1 + upTo(4); left > 0 && !pieces_.empty(); --left)
      change();
    std::string text;
    for (const std::string &piece : pieces_)
      text += piece;
    if (upTo(20) == 0)
      text.resize(upTo(text.size() + 1));
    if (upTo(20) == 0 && !text.empty())
      text[upTo(text.size())] = char(upTo(256));
    return text;
  }

private:
  size_t upTo(size_t end) { return end ? size_t(random_() % end) : 0; }

  void change() {
    static const char *const numbers[] = {" 0",
                                          " -1",
                                          " 4294967296",
                                          " 18446744073709551615",
                                          " 2147483648",
                                          " 1",
                                          " 65536",
                                          " 0f7F800001",
                                          " 1e400",
                                          " 0x",
                                          " 99999999999999999999"};
    static const char *const words[] = {".u8",   ".f16x2", ".v4",    ".shared", ".param", "{",
                                        "}",     "(",      ")",      "[",       "]",      ";",
                                        ",",     ".b128",  ".pred",  "%p1",     "%r1",    "%rd1",
                                        "block", ".reg",   ".local", "call",    "@",      "//"};
    const size_t at = upTo(pieces_.size());
    const auto place = pieces_.begin() + long(at);
    switch (upTo(8)) {
    case 0:
      pieces_.erase(place);
      break;
    case 1:
      pieces_.insert(place, pieces_[upTo(pieces_.size())]);
      break;
    case 2:
      std::swap(pieces_[at], pieces_[upTo(pieces_.size())]);
      break;
    case 3:
      pieces_[at] = others_[upTo(others_.size())];
      break;
    case 4:
      pieces_[at] = numbers[upTo(std::size(numbers))];
      break;
    case 5:
      pieces_[at] = std::string(" ") + words[upTo(std::size(words))];
      break;
    case 6: // a stretch is left out, or comes again elsewhere
      pieces_.erase(place, place + long(upTo(std::min<size_t>(pieces_.size() - at, 40))));
      break;
    default: {
      const size_t from = upTo(others_.size());
      const size_t count = upTo(std::min<size_t>(others_.size() - from, 40));
      pieces_.insert(place, others_.begin() + long(from), others_.begin() + long(from + count));
    }
    }
  }

  std::mt19937_64 random_;
  std::vector<std::string> pieces_, others_;
};

/// False if something is wrong.
bool tryInput(const std::string &text) {
  llvm::LLVMContext context;
  heddle::PtxTranslation result = heddle::translatePtx(text, "input", context);
  if (!result.module) {
    if (result.problems.empty())
      return report("neither code nor a message"), false;
    for (const heddle::PtxError &problem : result.problems)
      if (std::string(problem.what()).find("internal error") != std::string::npos)
        return report(problem.what()), false;
    return true;
  }
  ++translated;
  heddle::finishPtx(*result.module);
  if (llvm::verifyModule(*result.module))
    return report("broken code behind the passes"), false;
  return true;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: ptx_fuzz SEEDS-FOLDER COUNT [FIRST]\n");
    return 2;
  }
  const std::vector<std::string> seeds = readSeeds(argv[1]);
  const uint64_t count = std::strtoull(argv[2], nullptr, 10);
  const uint64_t first = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 0;
  for (int signal : {SIGALRM, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP})
    std::signal(signal, onSignal);
  bool good = !seeds.empty();
  size_t start = 0;
  uint64_t read = 0;
  for (const std::string &seed : seeds)
    if (!tryInput(seed))
      good = false;
  for (current = first; current < first + count; ++current) {
    alarm(seconds_for_one);
    const std::string text = Mutator(seeds, current).run();
    if (count == 1)
      std::fputs(text.c_str(), stderr);
    good &= tryInput(text);
    ++read;
    if (read == 500) // everything has been used once
      start = memoryInUse();
  }
  alarm(0);
  if (start && memoryInUse() > start + most_growth) {
    report("memory grows");
    good = false;
  }
  std::printf("%llu inputs, of which %llu became code; %zu MB\n",
              static_cast<unsigned long long>(read), static_cast<unsigned long long>(translated),
              memoryInUse() >> 20);
  return good ? 0 : 1;
}
