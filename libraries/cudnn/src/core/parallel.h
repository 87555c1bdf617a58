// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops on several cores, by the threads of GNU's OpenMP library, which oneDNN uses too: so that
// both share one set of threads, whose number OMP_NUM_THREADS sets.
#pragma once

#include <algorithm>
#include <cstdint>

extern "C" {
void GOMP_parallel(void (*function)(void *), void *data, unsigned threads, unsigned flags);
int omp_get_thread_num(void);
int omp_get_max_threads(void);
int omp_get_num_threads(void);
void omp_set_num_threads(int);
}

namespace heddle::cudnn {

/// While it lives, this thread's parallel work is done by one thread if it is small: waking others,
/// and their waiting for each other where cores are busy, would cost more than they save.
class ThreadsFor {
public:
  explicit ThreadsFor(double operations) : before_(omp_get_max_threads()) {
    if (operations < 4e6)
      omp_set_num_threads(1);
  }
  ThreadsFor(const ThreadsFor &) = delete;
  ~ThreadsFor() { omp_set_num_threads(before_); }

private:
  int before_;
};

/// Calls body(begin, end) for parts of 0 ... count - 1, each of several times `grain` items, of
/// which one takes about as long as a few thousand additions. The body must not throw.
template <typename Body> void parallelFor(int64_t count, int64_t grain, const Body &body) {
  const int64_t parts =
      std::min<int64_t>(omp_get_max_threads(), count / std::max<int64_t>(4 * grain, 1));
  if (parts <= 1) {
    if (count > 0)
      body(int64_t(0), count);
    return;
  }
  struct Work {
    int64_t count;
    const Body *body;
  } work{count, &body};
  GOMP_parallel(
      [](void *data) {
        const auto &w = *static_cast<Work *>(data);
        const int64_t me = omp_get_thread_num(), all = omp_get_num_threads();
        const int64_t begin = w.count * me / all, end = w.count * (me + 1) / all;
        if (begin < end)
          (*w.body)(begin, end);
      },
      &work, unsigned(parts), 0);
}

/// As above, item by item.
template <typename Body> void parallelEach(int64_t count, int64_t grain, const Body &body) {
  parallelFor(count, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      body(i);
  });
}

} // namespace heddle::cudnn
