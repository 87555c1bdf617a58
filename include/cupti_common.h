// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cupti_common.h: how records of activities lie in memory.
#ifndef HEDDLE_CUPTI_COMMON_H
#define HEDDLE_CUPTI_COMMON_H

#ifndef CUPTIAPI
#define CUPTIAPI
#endif
#define CUPTILP64 1

#define ACTIVITY_RECORD_ALIGNMENT 8
#define PACKED_ALIGNMENT __attribute__((__packed__, aligned(ACTIVITY_RECORD_ALIGNMENT)))
#define START_PACKED_ALIGNMENT
#define END_PACKED_ALIGNMENT

#endif
