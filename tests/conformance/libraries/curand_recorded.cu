// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuRAND's host API against an H200 with NVIDIA's library: every generator, ordering and
// distribution, the first 10,000 and the last 100 numbers, also from seeds and offsets and through
// calls of several kinds. With the argument "record" it prints recorded/curand.inc.
// flags: -lcurand
// env: HEDDLE_GPU=h200
#include "curand_cases.h"

#include <cinttypes>
#include <functional>
#include <map>

using namespace curand_cases;

namespace {

constexpr int value_count = 10;
// A sequence: hashes of its first 10,000 numbers, its last 100 and all, and where last bits may
// differ, the bits of its first four, four in the middle and the last two.
struct Recorded {
  const char *name;
  int status;
  uint64_t first, last, all;
  uint64_t values[value_count];
};
const Recorded recorded[] = {
#include "recorded/curand.inc"
    {nullptr, 0, 0, 0, 0, {}}};

struct Sequence {
  std::string name;
  std::function<Bytes(curandStatus_t &)> draw;
  size_t size;
  Kind kind;
  bool exact;
};

Recorded summary(const Bytes &bytes, size_t size, curandStatus_t status, bool exact) {
  Recorded r = {nullptr, status, 0, 0, 0, {}};
  if (status)
    return r;
  const size_t count = bytes.size() / size, first = std::min<size_t>(count, 10000),
               last = std::min<size_t>(count, 100);
  r.first = hashOf(bytes.data(), first * size);
  r.last = hashOf(bytes.data() + (count - last) * size, last * size);
  r.all = hashOf(bytes.data(), count * size);
  for (int i = 0; i < value_count && !exact; ++i) {
    const size_t at = i < 4 ? i : i < 8 ? count / 2 + i : count - value_count + i;
    memcpy(&r.values[i], bytes.data() + at * size, size);
  }
  return r;
}

void print(const std::string &name, const Recorded &r) {
  printf("{\"%s\", %d, 0x%" PRIx64 ", 0x%" PRIx64 ", 0x%" PRIx64 ", {", name.c_str(), r.status,
         r.first, r.last, r.all);
  int used = value_count;
  while (used > 0 && !r.values[used - 1])
    --used;
  for (int i = 0; i < used; ++i)
    printf("%s0x%" PRIx64, i ? ", " : "", r.values[i]);
  printf("}},\n");
}

double valueOf(uint64_t bits, size_t size, Kind kind) {
  if (kind == Kind::words)
    return static_cast<double>(bits);
  double wide;
  float narrow;
  const auto low = static_cast<uint32_t>(bits);
  memcpy(&wide, &bits, 8);
  memcpy(&narrow, &low, 4);
  return size == 8 ? wide : narrow;
}

// Sequences that are not exact may differ in last bits: of floats a few units, of doubles as well.
void compare(const Sequence &of, const Recorded &is, const Recorded &expected) {
  if (is.status != expected.status)
    fprintf(stderr, "%s: another status\n", of.name.c_str());
  CHECK_EQ(is.status, expected.status);
  const bool same =
      is.first == expected.first && is.last == expected.last && is.all == expected.all;
  if (of.exact || same) {
    if (!same)
      fprintf(stderr, "%s differs from an H200\n", of.name.c_str());
    CHECK(same);
    return;
  }
  for (int i = 0; i < value_count; ++i) {
    const double a = valueOf(is.values[i], of.size, of.kind),
                 e = valueOf(expected.values[i], of.size, of.kind);
    const double allowed = of.kind == Kind::words    ? 1
                           : of.kind == Kind::floats ? std::fabs(e) * 0x1p-18 + 0x1p-18
                                                     : std::fabs(e) * 0x1p-49 + 0x1p-50;
    if (!(std::fabs(a - e) <= allowed))
      fprintf(stderr, "%s differs from an H200\n", of.name.c_str());
    CHECK_NEAR(a, e, allowed);
  }
}

void append(Bytes &to, const Bytes &more) { to.insert(to.end(), more.begin(), more.end()); }

// Each generator, ordering and distribution.
void addProduct(std::vector<Sequence> &to) {
  for (const Named &g : generators)
    for (const Named &o : orderings) {
      if (isQuasi(g.value) != (o.value == CURAND_ORDERING_QUASI_DEFAULT))
        continue;
      for (const Distribution &d : distributions) {
        const auto draw = [&](curandStatus_t &status) {
          Generator made(g.value);
          made.order(o.value);
          if (isQuasi(g.value))
            made.dimensions(3);
          else
            made.seed(0x123456789abcdefULL);
          const Bytes bytes = made.draw(d, &d == distributions ? 300000 : 51000);
          status = made.status;
          return bytes;
        };
        to.push_back({std::string(g.name) + " " + o.name + " " + d.name, draw, sizeOf(d, g.value),
                      d.kind, d.exact});
      }
    }
}

// Seeds and offsets, dimensions, and long sequences of words.
void addStarts(std::vector<Sequence> &to) {
  const auto add = [&to](const Named &g, const std::string &what, size_t count,
                         std::function<void(Generator &)> set) {
    to.push_back({std::string(g.name) + " " + what,
                  [=](curandStatus_t &status) {
                    Generator made(g.value);
                    set(made);
                    const Bytes bytes = made.draw(distributions[0], count);
                    status = made.status;
                    return bytes;
                  },
                  sizeOf(distributions[0], g.value), Kind::words, true});
  };
  for (const Named &g : generators) {
    for (unsigned long long seed : {0ULL, 1ULL, 42ULL, 0xffffffff00000001ULL, ~0ULL})
      // MT19937 takes a second for each new seed.
      if (g.value != CURAND_RNG_PSEUDO_MT19937 || seed == 0 || seed == ~0ULL)
        add(g, "seed " + std::to_string(seed), 20000, [=](Generator &made) { made.seed(seed); });
    for (unsigned long long offset : {1ULL, 5ULL, 4096ULL, 100001ULL, 0x200000005ULL})
      add(g, "offset " + std::to_string(offset), 20000,
          [=](Generator &made) { made.offset(offset); });
    if (isQuasi(g.value))
      for (unsigned dimensions : {1u, 2u, 100u, 20000u})
        add(g, "dimensions " + std::to_string(dimensions), 40000,
            [=](Generator &made) { made.dimensions(dimensions).offset(77); });
    else
      add(g, "long", g.value == CURAND_RNG_PSEUDO_MT19937 ? 6000000 : 1500000, [](Generator &) {});
  }
}

// Calls of several kinds in turn: what each leaves to the next.
void addMixtures(std::vector<Sequence> &to) {
  struct Call {
    int distribution;
    size_t count;
  };
  static const std::vector<Call> mixtures[] = {
      {{0, 2}, {0, 10002}, {0, 6}, {0, 50}, {0, 70000}},
      {{0, 1}, {0, 3}, {0, 300}, {0, 4099}, {0, 7000}},
      {{1, 6}, {2, 6}, {0, 6}, {2, 2000}, {1, 10000}, {0, 6}, {2, 2}, {0, 600}},
      {{1, 1}, {2, 1}, {0, 1}, {2, 1001}, {1, 501}, {0, 9}},
      {{0, 6}, {3, 2}, {0, 6}, {4, 6}, {0, 6}, {3, 3000}, {0, 60}},
      {{0, 6}, {7, 6}, {0, 6}, {8, 3000}, {0, 6}, {9, 300}, {0, 6}, {11, 300}, {0, 60}},
  };
  for (const Named &g : generators)
    for (const auto &calls : mixtures) {
      const auto draw = [&](curandStatus_t &status) {
        Generator made(g.value);
        Bytes all;
        // Numbers from distributions are not kept, but how many words they have taken shows.
        for (const Call &call : calls) {
          const Bytes bytes = made.draw(distributions[call.distribution], call.count);
          if (call.distribution < 3)
            append(all, bytes);
        }
        status = made.status;
        return all;
      };
      to.push_back({std::string(g.name) + " calls " + std::to_string(&calls - mixtures), draw, 4,
                    Kind::words, true});
    }
}

} // namespace

int main(int argc, char **argv) {
  const bool record = argc > 1 && std::string(argv[1]) == "record";
  std::vector<Sequence> sequences;
  addProduct(sequences);
  addStarts(sequences);
  addMixtures(sequences);
  std::map<std::string, const Recorded *> expected;
  for (const Recorded *r = recorded; r->name; ++r)
    expected[r->name] = r;
  for (const Sequence &s : sequences) {
    curandStatus_t status = CURAND_STATUS_SUCCESS;
    const Bytes bytes = s.draw(status);
    const Recorded is = summary(bytes, s.size, status, s.exact);
    if (record)
      print(s.name, is);
    else if (expected.count(s.name))
      compare(s, is, *expected[s.name]);
  }
  if (record)
    return 0;
  CHECK(sequences.size() > 100); // also where nothing has been recorded yet
  RETURN_RESULT();
}
