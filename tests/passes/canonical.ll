; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: heddle-opt --passes=canonicalize %s | FileCheck %s
;
; A switch becomes branches, vectors scalars, and one block returns.

; CHECK-LABEL: define void @f
; CHECK-NOT: switch
; CHECK-NOT: <2 x
; CHECK: ret void
; CHECK-NOT: ret void
; CHECK: attributes
define void @f(ptr %p, i32 %n) {
entry:
  switch i32 %n, label %other [ i32 1, label %one
                                i32 7, label %seven ]
one:
  store i32 1, ptr %p
  ret void
seven:
  %v = load <2 x float>, ptr %p
  %w = fadd <2 x float> %v, %v
  store <2 x float> %w, ptr %p
  ret void
other:
  ret void
}
