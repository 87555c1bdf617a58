; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: heddle-opt --state='lanes=8' --passes=canonicalize,linearize,widen %s | FileCheck %s
;
; Lanes 0 and 4 do not divide. Their divisor is 0, which must not become the others' undefined
; behaviour although the divisors of all lanes are known here.

declare i32 @llvm.nvvm.read.ptx.sreg.laneid()

; CHECK-LABEL: define i32 @f
; CHECK: fdiv <8 x double>
; CHECK-NOT: store <8 x i32> poison
; CHECK: ret
define void @f(ptr %gang, ptr %p, i32 %gx, i32 %gy, i32 %gz, i32 %lanes, i32 %state) "heddle.gang" {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %divisor = and i32 %lane, 3
  %divides = icmp ne i32 %divisor, 0
  br i1 %divides, label %divide, label %end
divide:
  %quotient = udiv i32 -2147483648, %divisor
  %place = getelementptr i32, ptr %p, i32 %lane
  store i32 %quotient, ptr %place
  br label %end
end:
  ret void
}
