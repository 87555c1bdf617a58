// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lnppif -lnppc
//
// NPP's exact distance transforms: for each type of image and result, against a search through all
// sites. Of several nearest sites any may be named.
#include "npp_check.h"

namespace {

/// An image with some sites, of values 2 to 5; the others are larger and, if there are such,
/// negative.
template <class S> void drawSites(Image<S> &image, int of) {
  unsigned state = 12345;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      state = state * 1664525u + 1013904223u;
      const bool site = of && (state >> 10) % unsigned(of) == 0;
      const int other = std::is_signed<S>::value && (x + y) % 2 ? -4 : 99;
      image.at(x, y) = S(site ? 2 + (x + y) % 4 : other);
    }
}

struct Site {
  int x, y;
};
template <class S> std::vector<Site> sitesOf(Image<S> &image) {
  std::vector<Site> sites;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      if (image.at(x, y) >= 2 && image.at(x, y) <= 5)
        sites.push_back({x, y});
  return sites;
}
int squared(Site a, Site b) { return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y); }

template <class D> D expectedOf(int squares) {
  const double distance = std::sqrt(double(squares));
  return D(std::is_integral<D>::value ? std::floor(distance) : distance);
}

/// The results of one call.
template <class M, class D> struct Results {
  Image<Npp16s> voronoi, indices;
  Image<M> along;
  Image<D> transform;
  Results(int w, int h)
      : voronoi(2 * w, h, 1), indices(2 * w, h, 1), along(2 * w, h, 1), transform(w, h, 1) {}
};

template <class S, class M, class D>
void verify(Image<S> &image, Results<M, D> &results, bool absolute) {
  CHECK_CUDA(cudaDeviceSynchronize());
  const std::vector<Site> sites = sitesOf(image);
  int wrong_distances = 0, wrong_sites = 0, wrong_steps = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      int least = 1 << 30;
      Site nearest{-1, 0}; // if there is none
      for (const Site &site : sites) {
        const int squares = squared(site, {x, y});
        if (squares < least || (squares == least && (site.x < nearest.x ||
                                                     (site.x == nearest.x && site.y > nearest.y))))
          nearest = site;
        least = std::min(least, squares);
      }
      least = squared(nearest, {x, y});
      wrong_distances +=
          std::abs(results.transform.at(x, y) - expectedOf<D>(least)) > D(least * 1e-6);
      wrong_sites += results.voronoi.at(2 * x, y) != nearest.x ||
                     results.voronoi.at(2 * x + 1, y) != nearest.y ||
                     results.indices.at(2 * x, y) != nearest.x ||
                     results.indices.at(2 * x + 1, y) != nearest.y;
      const int dx = x - nearest.x, dy = y - nearest.y;
      wrong_steps += results.along.at(2 * x, y) != (absolute ? std::abs(dx) : dx) ||
                     results.along.at(2 * x + 1, y) != (absolute ? std::abs(dy) : dy);
    }
  CHECK_EQ(wrong_distances, 0);
  CHECK_EQ(wrong_sites, 0);
  CHECK_EQ(wrong_steps, 0);
}

Npp8u *scratchFor(NppiSize size) {
  size_t bytes = 0;
  OK(nppiDistanceTransformPBAGetBufferSize(size, &bytes));
  CHECK(bytes > 0);
  Npp8u *buffer = nullptr;
  CHECK_CUDA(cudaMalloc(&buffer, bytes));
  return buffer;
}

// 32 and 16 bits wide.
template <class S, class M, class D, class F> void test(F call, bool absolute, int w, int h) {
  for (const int of : {3, 60, 900, 0}) {
    Image<S> image(w, h, 1);
    drawSites(image, of);
    if (of)
      image.at(w - 1, h / 2) = S(2); // one at least
    Results<M, D> results(w, h);
    const NppiSize size{w, h};
    Npp8u *const buffer = scratchFor(size);
    const auto run = [&](auto... more) {
      OK(call(image.data(), image.step, S(2), S(5), results.voronoi.data(), results.voronoi.step,
              results.indices.data(), results.indices.step, results.along.data(),
              results.along.step, results.transform.data(), results.transform.step, size, buffer,
              more...));
    };
    if constexpr (std::is_same<D, Npp64f>::value)
      run(static_cast<Npp8u *>(nullptr), context());
    else
      run(context());
    verify(image, results, absolute);
    CHECK_CUDA(cudaFree(buffer));
  }
}

// Results that are not wanted are left out; each is as if all were.
void testSomeResults() {
  const int w = 100, h = 64;
  const NppiSize size{w, h};
  Image<Npp8u> image(w, h, 1);
  drawSites(image, 40);
  Results<Npp16s, Npp32f> all(w, h), some(w, h);
  Npp8u *const buffer = scratchFor(size);
  const auto run = [&](Npp16s *voronoi, Npp16s *along, Npp32f *transform) {
    OK(nppiDistanceTransformPBA_8u32f_C1R_Ctx(
        image.data(), image.step, 2, 5, voronoi, voronoi ? all.voronoi.step : 0, nullptr, 0, along,
        along ? all.along.step : 0, transform, transform ? all.transform.step : 0, size, buffer,
        context()));
  };
  run(all.voronoi, all.along, all.transform);
  run(some.voronoi, nullptr, nullptr);
  run(nullptr, some.along, nullptr);
  run(nullptr, nullptr, some.transform);
  CHECK(all.voronoi.read() == some.voronoi.read());
  CHECK(all.along.read() == some.along.read());
  CHECK(all.transform.read() == some.transform.read());
  CHECK_CUDA(cudaFree(buffer));
}

void testBadArguments() {
  Image<Npp8u> image(64, 64, 1);
  Image<Npp16u> transform(64, 64, 1);
  Npp8u *const buffer = scratchFor({64, 64});
  const auto run = [&](Npp8u *src, int step, NppiSize size, Npp8u *scratch) {
    return nppiDistanceTransformPBA_8u16u_C1R_Ctx(src, image.step, 2, 5, nullptr, 0, nullptr, 0,
                                                  nullptr, 0, transform.data(), step, size, scratch,
                                                  context());
  };
  CHECK(run(nullptr, transform.step, {64, 64}, buffer) != NPP_SUCCESS);
  CHECK(run(image, transform.step, {64, 64}, nullptr) != NPP_SUCCESS);
  CHECK(run(image, transform.step, {32768, 64}, buffer) != NPP_SUCCESS);
  size_t bytes = 0;
  CHECK(nppiDistanceTransformPBAGetBufferSize({0, 64}, &bytes) != NPP_SUCCESS);
#ifdef __HEDDLE_CUDA__
  CHECK_EQ(run(image, 64, {64, 64}, buffer), NPP_STEP_ERROR);
  Image<Npp64f> wide(64, 64, 1);
  CHECK_EQ(nppiDistanceTransformPBA_8u64f_C1R_Ctx(image.data(), image.step, 2, 5, nullptr, 0,
                                                  nullptr, 0, nullptr, 0, wide.data(), wide.step,
                                                  {64, 64}, buffer, buffer, context()),
           NPP_NOT_SUPPORTED_MODE_ERROR);
#endif
  CHECK_CUDA(cudaFree(buffer));
}

#define TEST(S, D, name, w, h)                                                                     \
  test<S, Npp16s, D>(nppiDistanceTransformPBA_##name##_C1R_Ctx, false, w, h);                      \
  test<S, Npp16u, D>(nppiDistanceTransformAbsPBA_##name##_C1R_Ctx, true, w, h)

} // namespace

int main() {
  TEST(Npp8u, Npp16u, 8u16u, 64, 64);
  TEST(Npp8s, Npp16u, 8s16u, 70, 65);
  TEST(Npp16u, Npp16u, 16u16u, 64, 90);
  TEST(Npp16s, Npp16u, 16s16u, 128, 64);
  TEST(Npp8u, Npp32f, 8u32f, 65, 70);
  TEST(Npp8s, Npp32f, 8s32f, 64, 64);
  TEST(Npp16u, Npp32f, 16u32f, 64, 64);
  TEST(Npp16s, Npp32f, 16s32f, 64, 64);
  TEST(Npp8u, Npp64f, 8u64f, 80, 64);
  TEST(Npp8s, Npp64f, 8s64f, 64, 64);
  TEST(Npp16u, Npp64f, 16u64f, 64, 64);
  TEST(Npp16s, Npp64f, 16s64f, 64, 64);
  TEST(Npp32f, Npp64f, 32f64f, 64, 64);
  TEST(Npp64f, Npp64f, 64f, 64, 75);
  testSomeResults();
  testBadArguments();
  RETURN_RESULT();
}
