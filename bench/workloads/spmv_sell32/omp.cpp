// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "problem.h"

using spmv_sell32::sliceRows;

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const spmv_sell32::Problem problem(options);
  const int slices = int(problem.a.slices), rows = int(problem.rows());
  const int *slice_starts = problem.a.slice_starts.data(), *columns = problem.a.columns.data();
  const float *values = problem.a.values.data(), *x = problem.x.data();
  bench::Buffer<float> y(problem.rows());

  return bench::measure(
      options, spmv_sell32::name, problem.bytes(), problem.flops(),
      [&] {
#pragma omp parallel for
        for (int slice = 0; slice < slices; ++slice) {
          float sums[sliceRows] = {};
          for (int k = slice_starts[slice]; k < slice_starts[slice + 1]; k += sliceRows)
#pragma omp simd
            for (int lane = 0; lane < sliceRows; ++lane)
              sums[lane] += values[k + lane] * x[columns[k + lane]];
          for (int lane = 0; lane < sliceRows && slice * sliceRows + lane < rows; ++lane)
            y[slice * sliceRows + lane] = sums[lane];
        }
      },
      [&] { return problem.check(y); });
}
