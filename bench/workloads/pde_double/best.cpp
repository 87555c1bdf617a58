// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All steps in one sweep through memory. A tile is a range of rows in all planes; the sweep goes
// through the planes, and computes each state two planes behind the one before, so that only the
// last five planes of the states between the first and the last are kept, in the inner caches. What
// the states of a tile need of its neighbours is computed in both.
#include "problem.h"
#include <array>
#include <omp.h>
#include <vector>

using pde_double::center, pde_double::far, pde_double::near, pde_double::Problem;
using pde_double::radius;

constexpr int tileRows = 32;
constexpr int kept = 2 * radius + 1; // planes
constexpr int lead = 8; // points from a row's begin to the first inner one, which then is aligned

/// What rows and planes of the grid a thread computes at once.
struct Tile {
  int first_row, end_row, first_plane, end_plane;

  /// With `more` on all sides, as far as the grid goes.
  Tile larger(int more, int size) const {
    return {std::max(first_row - more, 0), std::min(end_row + more, size),
            std::max(first_plane - more, 0), std::min(end_plane + more, size)};
  }
};

/// One row of the next state, from rows of this one and of the one before.
static void advanceRow(double *__restrict next, const double *before, const double *const row[5],
                       const double *const across[5], int size) {
  const double *south2 = row[0], *south = row[1], *u = row[2], *north = row[3], *north2 = row[4];
  const double *below2 = across[0], *below = across[1], *above = across[3], *above2 = across[4];
#pragma omp simd
  for (int x = 0; x < size; ++x) {
    const double around1 = u[x - 1] + u[x + 1] + south[x] + north[x] + below[x] + above[x];
    const double around2 = u[x - 2] + u[x + 2] + south2[x] + north2[x] + below2[x] + above2[x];
    next[x] = (2 + 3 * center) * u[x] - before[x] + near * around1 + far * around2;
  }
}

/// Takes tiles through all steps; belongs to a thread.
class Sweep {
public:
  Sweep(const Problem &problem_, double *result_)
      : problem(problem_), result(result_), halo(radius * (problem.steps - 1)),
        pitch((lead + problem.size + radius + lead - 1) / lead * lead),
        plane_size(std::size_t(tileRows + 2 * halo + 2 * radius) * pitch),
        planes(plane_size * kept * (problem.steps - 1)), zeros(pitch) {}

  void run(const Tile &whole) {
    tile = whole;
    std::fill(planes.begin(), planes.end(), 0); // for the rows outside the grid
    const Tile first = tile.larger(halo, problem.size);
    for (int z = first.first_plane; z < tile.end_plane + halo; ++z)
      for (int step = 1; step <= problem.steps; ++step)
        advancePlane(step, z - radius * (step - 1));
  }

private:
  /// Computes plane z of the state after `step` steps, if it is needed.
  void advancePlane(int step, int z) {
    const Tile part = tile.larger(radius * (problem.steps - step), problem.size);
    if (z < part.first_plane || z >= part.end_plane)
      return;
    std::array<Plane, 5> across;
    for (int d = -radius; d <= radius; ++d)
      across[d + radius] = planeOf(step - 1, z + d);
    const Plane before = planeOf(step - 2, z), own = across[radius];
    const Plane next = step == problem.steps ? ofProblem(result, z) : keptPlane(step, z);
    for (int y = part.first_row; y < part.end_row; ++y) {
      std::array<const double *, 5> rows, columns;
      for (int d = -radius; d <= radius; ++d) {
        rows[d + radius] = own.row(y + d);
        columns[d + radius] = across[d + radius].row(y);
      }
      advanceRow(next.row(y), before.row(y), rows.data(), columns.data(), problem.size);
    }
  }

  /// A plane of a state.
  struct Plane {
    double *row0; // its row 0, from the first inner point on
    std::ptrdiff_t pitch;
    double *row(int y) const { return row0 + y * pitch; }
  };

  /// A plane of the state after `step` steps, to be read; -1 is the state before the first.
  Plane planeOf(int step, int z) {
    if (step < 1)
      return ofProblem((step == 0 ? problem.now : problem.before).data(), z);
    return z < 0 || z >= problem.size ? Plane{zeros.data() + lead, 0} : keptPlane(step, z);
  }

  /// Of the arrays that belong to the problem only the result is written.
  Plane ofProblem(const double *state, int z) const {
    return {const_cast<double *>(state) + problem.at(0, 0, z), problem.pitch};
  }

  Plane keptPlane(int step, int z) {
    const std::ptrdiff_t first_row = tile.first_row - halo - radius; // in the kept planes
    double *plane = planes.data() + ((step - 1) * kept + z % kept) * plane_size;
    return {plane - first_row * pitch + lead, pitch};
  }

  const Problem &problem;
  double *result;
  int halo;  // rows and planes that the first state has more than the last, on each side
  int pitch; // of rows of the planes below
  std::size_t plane_size;
  bench::Buffer<double> planes; // the last ones of each state between the first and the last
  bench::Buffer<double> zeros;  // a row outside the grid
  Tile tile = {};
};

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const Problem problem(options);
  bench::Buffer<double> result(problem.points());
  // Tiles of rows are enough for a few threads; more threads also divide the planes.
  const int threads = omp_get_max_threads(), columns = (problem.size + tileRows - 1) / tileRows;
  const int slabs = (threads + columns - 1) / columns;
  std::vector<Sweep> sweeps;
  for (int thread = 0; thread < threads; ++thread)
    sweeps.emplace_back(problem, result.data());

  const auto run = [&] {
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (int slab = 0; slab < slabs; ++slab)
      for (int column = 0; column < columns; ++column) {
        const int row = column * tileRows;
        sweeps[omp_get_thread_num()].run({row, std::min(row + tileRows, problem.size),
                                          problem.size * slab / slabs,
                                          problem.size * (slab + 1) / slabs});
      }
  };
  return bench::measure(options, pde_double::name, problem.bytes(), problem.flops(), run,
                        [&] { return problem.check(result); });
}
