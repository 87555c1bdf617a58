// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

void countThere(int *out);
int counterThere();
void showHiddenThere(int *out);
