// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameter objects of the Jacobi functions (syevj, gesvdj). What they compute is computed by
// LAPACK's divide and conquer, which always converges to working precision: the tolerance and the
// number of sweeps limit nothing, one sweep is reported, and values are always sorted.
#pragma once

#include "handle.h"

#include <memory>

namespace heddle::cusolver {

/// What a task writes for later questions; it may outlive the object.
struct JacobiOutcome {
  double residual = 0;
  int sweeps = 0;
};

struct JacobiParameters {
  double tolerance = 0;
  int max_sweeps = 100;
  int sort = 1;
  bool batched = false; // the last call was: there is no outcome then
  std::shared_ptr<JacobiOutcome> outcome = std::make_shared<JacobiOutcome>();
};

constexpr const char *NullJacobi = "the parameter object was not created, or destroyed";

} // namespace heddle::cusolver

struct syevjInfo : heddle::cusolver::JacobiParameters {};
struct gesvdjInfo : heddle::cusolver::JacobiParameters {};

namespace heddle::cusolver {

/// Whether the object lives; notes for which kind of call it is used.
template <typename Object> Check &use(Check &c, Object *object, bool batched = false) {
  const bool live = library::handles<Object>().has(object);
  if (live)
    object->batched = batched;
  return c.that(live, NullJacobi);
}

} // namespace heddle::cusolver
