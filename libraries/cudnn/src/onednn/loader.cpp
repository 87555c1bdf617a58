// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libcudnn's side: loads libheddlednn, which lies beside it.
#include "calls.h"
#include "gemm.h"
#include "parallel.h"

#include <dlfcn.h>
#include <filesystem>
#include <string>

namespace heddle::cudnn {
namespace {

struct Library {
  decltype(&heddleDnnConvolve) convolve = nullptr;
  decltype(&heddleDnnProduct) product = nullptr;
  std::string why; // it is not there
};

/// Address sanitizers refuse to load what searches itself first.
int mode() {
  const bool sanitized = dlsym(RTLD_DEFAULT, "__asan_init") != nullptr;
  return RTLD_NOW | RTLD_LOCAL | (sanitized ? 0 : RTLD_DEEPBIND);
}

Library load() {
  Library library;
  Dl_info self;
  if (!dladdr(reinterpret_cast<const void *>(&load), &self)) {
    library.why = "libcudnn's own place is not known";
    return library;
  }
  // By its own place, also where a link to it was loaded.
  std::error_code unknown;
  std::filesystem::path file = std::filesystem::canonical(self.dli_fname, unknown);
  if (unknown)
    file = self.dli_fname;
  const std::string path = file.replace_filename("libheddlednn.so.1").string();
  void *const handle = dlopen(path.c_str(), mode());
  if (!handle) {
    library.why = dlerror();
    return library;
  }
  library.convolve =
      reinterpret_cast<decltype(library.convolve)>(dlsym(handle, "heddleDnnConvolve"));
  library.product = reinterpret_cast<decltype(library.product)>(dlsym(handle, "heddleDnnProduct"));
  if (!library.convolve || !library.product)
    library.why = path + " is of another version";
  return library;
}

const Library &oneDnn() {
  static const auto &library = *new Library(load());
  need(library.why.empty(), library.why.c_str(), CUDNN_STATUS_NOT_INITIALIZED);
  return library;
}

} // namespace

void convolveByOneDnn(Pass pass, const Convolution &c, const ConvolutionTensors &t, float *x,
                      float *w, float *y) {
  // A primitive is made for as many threads as run it.
  const ThreadsFor threads(2.0 * double(t.y.count()) * double(t.w.count()) / double(t.w.dim[0]));
  oneDnn().convolve(pass, c, t, x, w, y);
}

void gemm(bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k, float alpha,
          const float *a, int64_t lda, const float *b, int64_t ldb, float beta, float *c,
          int64_t ldc) {
  if (m == 0 || n == 0)
    return;
  const ThreadsFor threads(2.0 * double(m) * double(n) * double(k));
  need(oneDnn().product(transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc),
       "oneDNN has refused a product of matrices", CUDNN_STATUS_EXECUTION_FAILED);
}

} // namespace heddle::cudnn
