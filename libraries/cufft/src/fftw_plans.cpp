// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of libcufftw. Arrays may be anywhere: what other work of the program does with them on
// devices is waited for, and a transform is done when its call returns, as FFTW's are.
#include "fftw.h"

#include "common/handles.h"
#include "common/refuse.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>
#include <cuda_runtime_api.h>
#include <memory>
#include <new>

namespace heddle::fftw {
namespace {

library::Handles<Plan> &plans() { return library::handles<Plan>(); }

Plan *refuse(const char *function, const char *why) {
  library::explain(function, "no plan", why);
  return nullptr;
}

size_t elementBytes(const fft::Transform &t, bool input) {
  const bool real = t.What == (input ? Kind::RealToComplex : Kind::ComplexToReal);
  return (t.Double ? 8 : 4) * (real ? 1 : 2);
}

/// The bytes that one side lies in, from and to, relative to its address.
std::pair<ptrdiff_t, ptrdiff_t> extent(const fft::Transform &t, bool input) {
  ptrdiff_t low = 0, high = 0;
  for (int i = 0; i < t.Count; ++i) {
    size_t size = t.Dims[i].Size;
    if (i == t.Count - 1 && t.What == (input ? Kind::ComplexToReal : Kind::RealToComplex))
      size = size / 2 + 1;
    const ptrdiff_t step = (input ? t.Dims[i].In : t.Dims[i].Out) * ptrdiff_t(size - 1);
    (step < 0 ? low : high) += step;
  }
  const auto bytes = ptrdiff_t(elementBytes(t, input));
  return {low * bytes, (high + 1) * bytes};
}

/// Whether the engine may read and write the same memory.
bool inStep(const fft::Transform &t) {
  const auto in = ptrdiff_t(elementBytes(t, true)), out = ptrdiff_t(elementBytes(t, false));
  const fft::Dimension &last = t.Dims[t.Count - 1];
  if (t.What == Kind::Complex ? last.In != last.Out : last.In != 1 || last.Out != 1)
    return false;
  return std::all_of(t.Dims, t.Dims + t.Count - 1,
                     [=](const fft::Dimension &d) { return d.In * in == d.Out * out; });
}

void transform(const char *function, const fft::Transform &t, const void *in, void *out) {
  const auto [in_low, in_high] = extent(t, true);
  const auto [out_low, out_high] = extent(t, false);
  const auto *from = static_cast<const char *>(in);
  auto *to = static_cast<char *>(out);
  std::unique_ptr<char[]> copy;
  const bool overlap = from + in_low < to + out_high && to + out_low < from + in_high;
  if (overlap && (in != out || !inStep(t))) {
    copy.reset(new (std::nothrow) char[in_high - in_low]);
    if (copy)
      std::memcpy(copy.get(), from + in_low, in_high - in_low);
    from = copy ? copy.get() - in_low : nullptr;
  }
  if (!from || !heddleFftRun(t, from, to))
    library::explain(function, "not computed", "memory is exhausted");
}

/// Waits for what devices still do with memory that they can reach.
void waitFor(const void *pointer) {
  cudaPointerAttributes attributes;
  if (cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess &&
      attributes.type != cudaMemoryTypeUnregistered)
    cudaDeviceSynchronize();
}

bool add(fft::Transform &t, const Dimension &d) {
  if (d.size < 1)
    return false;
  t.Dims[t.Count++] = {size_t(d.size), ptrdiff_t(d.in), ptrdiff_t(d.out)};
  return true;
}

} // namespace

Plan *make(const char *function, Kind kind, bool is_double, int sign,
           const std::vector<Dimension> &dims, const std::vector<Dimension> &batches, void *in,
           void *out) {
  if (!in || !out)
    return refuse(function, "an array is null");
  if (dims.empty() || dims.size() + batches.size() > fft::Transform::MaxDimensions)
    return refuse(function, "transforms and batches have 1 to 8 dimensions together");
  if (kind == Kind::Complex && sign != FFTW_FORWARD && sign != FFTW_BACKWARD)
    return refuse(function, "the sign is neither FFTW_FORWARD nor FFTW_BACKWARD");
  Plan plan{{}, in, out};
  plan.what.What = kind;
  plan.what.Double = is_double;
  plan.what.Forward = kind == Kind::Complex ? sign == FFTW_FORWARD : kind == Kind::RealToComplex;
  plan.what.Rank = int(dims.size());
  for (const std::vector<Dimension> *list : {&batches, &dims})
    for (const Dimension &d : *list)
      if (!add(plan.what, d))
        return refuse(function, "a size is less than 1");
  auto *const made = new (std::nothrow) Plan(plan);
  return made ? plans().add(made) : refuse(function, "memory is exhausted");
}

Plan *makeMany(const char *function, Kind kind, bool is_double, int sign, int rank, const int *n,
               int batch, Side in, Side out, void *from, void *to) {
  if (rank < 1 || rank > fft::Transform::MaxDimensions || !n)
    return refuse(function, "the rank is not in 1...8, or the sizes are null");
  std::vector<Dimension> dims(rank);
  const bool in_place = from == to;
  for (int i = rank; i-- > 0;) {
    dims[i] = {n[i], in.stride, out.stride};
    if (i == rank - 1)
      continue;
    // Without an embedding, rows are as long as they must be: in place, real rows have room for the
    // complex ones ("Multi-dimensional DFTs of Real Data").
    const bool last = i + 1 == rank - 1;
    const auto row = [&](const Side &side, Kind complex_here, Kind real_here) -> long long {
      if (side.embed)
        return side.embed[i + 1];
      if (last && kind == complex_here)
        return n[i + 1] / 2 + 1;
      return last && kind == real_here && in_place ? 2 * (n[i + 1] / 2 + 1) : n[i + 1];
    };
    dims[i].in = dims[i + 1].in * row(in, Kind::ComplexToReal, Kind::RealToComplex);
    dims[i].out = dims[i + 1].out * row(out, Kind::RealToComplex, Kind::ComplexToReal);
  }
  std::vector<Dimension> batches;
  if (batch != 1)
    batches.push_back({batch, in.distance, out.distance});
  return make(function, kind, is_double, sign, dims, batches, from, to);
}

void run(const char *function, const void *plan, Kind kind, bool is_double, void *in, void *out) {
  const auto *const made = static_cast<const Plan *>(plan);
  if (!plans().has(made))
    return library::explain(function, "not computed", "the plan was not made, or is destroyed");
  if (made->what.What != kind || made->what.Double != is_double || !in || !out)
    return library::explain(function, "not computed",
                            "the plan is for another kind of data, or an array is null");
  waitFor(in);
  waitFor(out);
  transform(function, made->what, in, out);
}

void run(const char *function, const void *plan, bool is_double) {
  const auto *const made = static_cast<const Plan *>(plan);
  const bool lives = plans().has(made);
  run(function, plan, lives ? made->what.What : Kind::Complex, is_double,
      lives ? made->in : nullptr, lives ? made->out : nullptr);
}

void destroy(const char *function, void *plan) {
  auto *const made = static_cast<Plan *>(plan);
  if (plan && !plans().remove(made))
    return library::explain(function, "ignored", "the plan was not made, or is destroyed");
  delete made;
}

double operations(const void *plan) {
  const auto *const made = static_cast<const Plan *>(plan);
  if (!plans().has(made))
    return 0;
  double all = 1, each = 1;
  for (int i = 0; i < made->what.Count; ++i) {
    all *= double(made->what.Dims[i].Size);
    if (i >= made->what.Count - made->what.Rank)
      each *= double(made->what.Dims[i].Size);
  }
  return (made->what.What == Kind::Complex ? 5 : 2.5) * all * std::log2(each);
}

void print(const void *plan, FILE *to) {
  const auto *const made = static_cast<const Plan *>(plan);
  if (!plans().has(made))
    return;
  static constexpr const char *names[] = {"dft", "dft-r2c", "dft-c2r"};
  std::fprintf(to, "(%s", names[int(made->what.What)]);
  for (int i = 0; i < made->what.Count; ++i)
    std::fprintf(to, "%s%zu", i == made->what.Count - made->what.Rank ? " of " : " ",
                 made->what.Dims[i].Size);
  std::fprintf(to, ")");
}

} // namespace heddle::fftw
