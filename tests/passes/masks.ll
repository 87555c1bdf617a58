; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: heddle-opt --state='lanes=8' --passes=canonicalize,linearize %s | FileCheck %s
; RUN: heddle-opt --state='lanes=8' --passes=canonicalize,linearize,widen %s | FileCheck %s --check-prefix=WIDE
;
; What a divergent branch leads to is executed under a mask; a uniform branch stays a branch.

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: define void @f
; CHECK: br i1 %uniform
; CHECK: call i1 @heddle.any(i1 %odd)
; CHECK: call void @heddle.mask(i1 %odd)
; CHECK: store i32 %x
; CHECK: "heddle.compiler.state"="lanes=8

; WIDE-LABEL: define i32 @f
; WIDE: call void @llvm.masked.store.v8i32
define void @f(ptr %gang, ptr %p, i32 %gx, i32 %gy, i32 %gz, i32 %lanes, i32 %state) "heddle.gang" {
entry:
  %n = load i32, ptr %p
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %x to i1
  %uniform = icmp sgt i32 %n, 3
  br i1 %uniform, label %more, label %end
more:
  br i1 %odd, label %write, label %end
write:
  %place = getelementptr i32, ptr %p, i32 %x
  store i32 %x, ptr %place
  br label %end
end:
  ret void
}
