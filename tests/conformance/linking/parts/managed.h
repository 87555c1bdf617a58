// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

extern __managed__ int count_here, count_there;
extern __managed__ int totals[2];

void changeThere();
