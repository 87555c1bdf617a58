// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan of libcufftw stands for: a transform of the engine and the arrays it was made for.
#pragma once
// What the header declares is exported; everything else in the library is hidden.
#pragma GCC visibility push(default)
#include <cufftw.h>
#pragma GCC visibility pop

#include "engine.h"

#include <vector>

namespace heddle::fftw {

using fft::Kind;

struct Plan {
  fft::Transform what;
  void *in, *out;
};

/// One dimension as a plan's caller has it.
struct Dimension {
  long long size, in, out;
};

/// Makes a plan over `dims`, once for each of the places that `batches` name; null, with a sentence
/// on stderr, if there can be none.
Plan *make(const char *function, Kind kind, bool is_double, int sign,
           const std::vector<Dimension> &dims, const std::vector<Dimension> &batches, void *in,
           void *out);

/// The layouts of fftw_plan_many_dft…: null embeddings mean the sizes themselves.
struct Side {
  const int *embed;
  int stride, distance;
};
Plan *makeMany(const char *function, Kind kind, bool is_double, int sign, int rank, const int *n,
               int batch, Side in, Side out, void *from, void *to);

/// Transforms now. Does nothing but say why if the plan was destroyed or is of another kind.
void run(const char *function, const void *plan, Kind kind, bool is_double, void *in, void *out);
void run(const char *function, const void *plan, bool is_double);
void destroy(const char *function, void *plan);
/// Prints what the plan does.
void print(const void *plan, FILE *to);
/// The number of operations that the plan needs, by the usual 5 N log2 N.
double operations(const void *plan);

} // namespace heddle::fftw
