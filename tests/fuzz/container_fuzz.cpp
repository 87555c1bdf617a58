// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broken fat binaries of nvcc's: none may crash the process that loads it, nor be read beyond its
// end.
//
//   container_fuzz COUNT [FIRST]
//
// Each input is a fat binary made here, of plain and packed PTX and of machine code, with some
// bytes changed, left out, doubled or cut off at its end. It lies before an inaccessible page. Both
// the reader and cuModuleLoadData or cuModuleLoad get it, and must agree: 200 for what is broken,
// 209 without PTX, 218 for broken text. Texts are broken alike, and divided into parts.
#include "module/image/nvidia_fat_binary.h"
#include "module/image/ptx_parts.h"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>
#include <zstd.h>

namespace {

constexpr unsigned seconds_for_one = 60, gpu = 75;
constexpr size_t room = size_t(1) << 20;
// A process compiles each text that is not the original one: the driver gets so many of them.
constexpr unsigned most_compiled = 10;
constexpr uint64_t lz4 = 0x2000, zstd = 0x8000;
uint64_t current = 0;
unsigned compiled = 0, refused = 0, without_ptx = 0, divided = 0;

const std::string text = ".version 7.0\n.target sm_52\n.address_size 64\n"
                         ".visible .entry nothing()\n{\n  ret;\n}\n" +
                         std::string(300, '\n');

// Of several parts, with what makes items end: braces, semicolons, comments, quotes.
const std::string long_text =
    ".version 7.0\n.target sm_52\n.address_size 64\n.file 1 \"a.cu\"\n"
    ".global .align 4 .u32 a, b;\n.const .align 4 .b8 table[8] = {1, 2, 3};\n"
    ".extern .func (.param .b32 r) vprintf(.param .b64 f);\n"
    ".func (.param .b32 r) f(.param .b32 x)\n{ ld.global.u32 %r1, [a]; /* } */ ret; }\n"
    ".visible .entry one(.param .u64 p)\n.maxntid 32, 1, 1\n{ { .reg .b32 %r1; } call (r), f, (x); "
    "}\n"
    ".visible .entry two()\n{ ld.const.u8 %r1, [table + 3]; // }\n ret; }\n"
    ".visible .entry three()\n{ call (r), vprintf, (x); ret; }\n.section .debug_str { .b8 1, 2 }\n";

void report(const std::string &what) {
  std::printf("input %llu: %s\n", static_cast<unsigned long long>(current), what.c_str());
  std::fflush(stdout);
}

void onSignal(int signal) {
  report(signal == SIGALRM ? "it takes too long" : "a crash");
  _exit(1);
}

template <class T> void append(std::string &to, T value) {
  to.append(reinterpret_cast<const char *>(&value), sizeof value);
}

/// Makes valid fat binaries, and breaks them.
class Maker {
public:
  explicit Maker(uint64_t number) : random_(number) {}

  std::string valid() {
    std::string codes;
    for (size_t left = upTo(4); left > 0; --left)
      codes += code();
    std::string all;
    append<uint32_t>(all, 0xba55ed50);
    append<uint16_t>(all, 1);
    append<uint16_t>(all, 16);
    append<uint64_t>(all, codes.size());
    return all + codes;
  }

  std::string broken(std::string binary) {
    for (size_t left = 1 + upTo(3); left > 0 && !binary.empty(); --left)
      change(binary);
    return binary;
  }

  size_t upTo(size_t end) { return end ? size_t(random_() % end) : 0; }

private:
  std::string code() {
    switch (upTo(5)) {
    case 0:
      return entry(2, std::string(upTo(300), 'x'), 0, 0);
    case 1:
      return entry(1, text, 0, 0);
    case 2:
      return entry(1, packedByLz4(), lz4, text.size());
    case 3:
      return entry(1, packedByZstd(), zstd, text.size());
    default: // an unknown kind
      return entry(uint16_t(3 + upTo(100)), std::string(upTo(100), 'y'), 0, 0);
    }
  }

  std::string entry(uint16_t kind, const std::string &code, uint64_t flags, uint64_t unpacked) {
    static constexpr uint32_t capabilities[] = {50, 60, 75, 80, 90, 120};
    const size_t filled = (code.size() + 7) / 8 * 8;
    std::string all;
    append<uint16_t>(all, kind);
    append<uint16_t>(all, 0x101);
    append<uint32_t>(all, 80);
    append<uint64_t>(all, filled);
    append<uint32_t>(all, flags ? uint32_t(code.size()) : 0);
    append<uint32_t>(all, 0);
    append<uint32_t>(all, 7);
    append<uint32_t>(all, capabilities[upTo(6)]);
    append<uint32_t>(all, 64); // the name behind the header
    append<uint32_t>(all, 5);
    append<uint64_t>(all, flags | 0x11);
    append<uint64_t>(all, 0);
    append<uint64_t>(all, unpacked);
    all += "a.cu";
    all.resize(80);
    return all + code + std::string(filled - code.size(), '\0');
  }

  // The newlines at the end are copies of the first of them.
  static std::string packedByLz4() {
    const size_t repeated = 200 - 4 - 15, literals = text.size() - 200 - 8;
    std::string all(1, '\xff');
    for (size_t left = literals - 15;; left -= 255) {
      all += char(std::min<size_t>(left, 255));
      if (left < 255)
        break;
    }
    all += text.substr(0, literals);
    append<uint16_t>(all, 1);
    all += char(repeated);
    return all + '\x80' + std::string(8, '\n');
  }

  std::string packedByZstd() {
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    packed.resize(
        ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), int(1 + upTo(9))));
    return packed;
  }

  void change(std::string &binary) {
    static constexpr uint64_t numbers[] = {0,          1,          0x7fffffff, 0xffffffff,
                                           UINT64_MAX, 1ull << 40, 64};
    // Headers are small: most changes are to be there.
    const size_t at = upTo(upTo(2) ? binary.size() : std::min<size_t>(binary.size(), 104));
    switch (upTo(7)) {
    case 0:
      binary[at] = char(binary[at] ^ (1 << upTo(8)));
      break;
    case 1:
      binary[at] = char(upTo(256));
      break;
    case 2:
    case 3: { // a number that says how long something is
      const size_t bytes = std::min<size_t>(size_t(1) << upTo(4), binary.size() - at);
      std::memcpy(&binary[at], &numbers[upTo(std::size(numbers))], bytes);
      break;
    }
    case 4:
      binary.resize(at);
      break;
    case 5:
      binary.erase(at, 1 + upTo(40));
      break;
    default:
      binary.insert(at, binary.substr(upTo(binary.size()), 1 + upTo(40)));
    }
  }

  std::mt19937_64 random_;
};

/// Memory that ends before an inaccessible page.
class Place {
public:
  Place() {
    void *all =
        mmap(nullptr, room + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(static_cast<char *>(all) + room, 4096, PROT_NONE))
      std::abort();
    end_ = static_cast<char *>(all) + room;
  }
  const char *put(const std::string &bytes) {
    std::memcpy(end_ - bytes.size(), bytes.data(), bytes.size());
    return end_ - bytes.size();
  }

private:
  char *end_;
};

/// What the reader makes of it: nothing if it is broken.
std::optional<std::string> read(const char *data, size_t size) {
  try {
    for (const heddle::FatBinaryCode &code : heddle::codesOfFatBinary(data, size))
      if (code.bytes.data() < data || code.bytes.data() + code.bytes.size() > data + size ||
          (!code.name.empty() && code.name.data() + code.name.size() > data + size))
        throw std::logic_error("outside of the fat binary");
    return heddle::ptxOfFatBinary(data, size, gpu);
  } catch (const std::runtime_error &) {
    return std::nullopt;
  }
}

bool isExpected(CUresult result, const std::optional<std::string> &found) {
  if (!found)
    return ++refused, result == CUDA_ERROR_INVALID_IMAGE;
  if (found->empty())
    return ++without_ptx, result == CUDA_ERROR_NO_BINARY_FOR_GPU;
  if (*found == text)
    return result == CUDA_SUCCESS;
  return result == CUDA_SUCCESS || result == CUDA_ERROR_INVALID_PTX ||
         result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
}

CUresult loadFile(const std::string &path, const std::string &bytes, CUmodule *module) {
  std::ofstream(path, std::ios::binary) << bytes;
  return cuModuleLoad(module, path.c_str());
}

/// A truncated one has no pages to say where it ends, so that it is loaded as a file.
bool tryDriver(const std::string &bytes, const char *data, bool as_file, const std::string &path,
               const std::optional<std::string> &found) {
  if (found && !found->empty() && *found != text && compiled++ >= most_compiled)
    return true;
  CUmodule module = nullptr;
  const CUresult result = as_file || bytes.size() < 64 ? loadFile(path, bytes, &module)
                                                       : cuModuleLoadData(&module, data);
  if (result == CUDA_SUCCESS)
    cuModuleUnload(module);
  if (isExpected(result, found))
    return true;
  report("cuModuleLoad gives " + std::to_string(result) + (found ? "" : " for a broken one"));
  return false;
}

/// Each kernel is in a part that names it.
bool tryText(Maker &maker) {
  const auto text = std::make_shared<const std::string>(maker.broken(long_text));
  const std::optional<heddle::PtxParts> parts = heddle::PtxParts::divide(text);
  if (!parts)
    return true;
  ++divided;
  for (const std::string_view kernel : parts->kernels()) {
    const auto part = parts->find(kernel);
    if (!part || *part >= parts->count() || parts->text(*part).find(kernel) == std::string::npos) {
      report("a kernel is in no part");
      return false;
    }
  }
  return true;
}

bool tryInput(Place &place, const std::string &path) {
  Maker maker(current);
  const std::string valid = maker.valid();
  if (!read(place.put(valid), valid.size())) {
    report("a valid one is refused");
    return false;
  }
  if (!tryText(maker))
    return false;
  const std::string bytes = maker.broken(valid);
  const char *data = place.put(bytes);
  if (bytes.size() < 4 || !heddle::isNvidiaFatBinary(data))
    return true;
  return tryDriver(bytes, data, maker.upTo(10) == 0, path, read(data, bytes.size()));
}

bool begin() {
  CUdevice device = 0;
  CUcontext context = nullptr;
  return cuInit(0) == CUDA_SUCCESS && cuDeviceGet(&device, 0) == CUDA_SUCCESS &&
         cuDevicePrimaryCtxRetain(&context, device) == CUDA_SUCCESS &&
         cuCtxSetCurrent(context) == CUDA_SUCCESS;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: container_fuzz COUNT [FIRST]\n");
    return 2;
  }
  const uint64_t count = std::strtoull(argv[1], nullptr, 10);
  const uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  // The runtime says of each what is wrong with it.
  if (!std::freopen("/dev/null", "w", stderr) || !begin())
    return 2;
  for (int signal : {SIGALRM, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP})
    std::signal(signal, onSignal);
  char folder[] = "/tmp/container_fuzz.XXXXXX";
  if (!mkdtemp(folder))
    return 2;
  Place place;
  bool good = true;
  for (current = first; current < first + count; ++current) {
    alarm(seconds_for_one);
    good &= tryInput(place, folder + std::string("/a.fatbin"));
  }
  std::filesystem::remove_all(folder);
  std::printf("%llu inputs, of which %u are broken, %u without PTX; %u texts divided\n",
              static_cast<unsigned long long>(count), refused, without_ptx, divided);
  // If nothing is refused, nothing has been tried.
  return good && (count < 100 || (refused && without_ptx && divided)) ? 0 : 1;
}
