// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HEDDLE_NOT_YET("what"): marks the declaration of a function that Heddle does not have. A program
// that uses it is refused where it does, with the reason.
#ifndef HEDDLE_HOST_NOT_YET_H
#define HEDDLE_HOST_NOT_YET_H

#if defined(__clang__) || defined(__CUDACC_RTC__) || (defined(__GNUC__) && __GNUC__ >= 12)
#define HEDDLE_NOT_YET(what)                                                                       \
  __attribute__((unavailable("Heddle does not have " what " yet (docs/compatibility.md)")))
#elif defined(__GNUC__)
#define HEDDLE_NOT_YET(what)                                                                       \
  __attribute__((error("Heddle does not have " what " yet (docs/compatibility.md)")))
#else
#define HEDDLE_NOT_YET(what)
#endif

#endif
