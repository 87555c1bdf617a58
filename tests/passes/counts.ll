; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: heddle-opt --passes=mark-counts %s | FileCheck %s
;
; Blocks with something to count, branches and accesses are marked; four neighbours are one access of
; 16 bytes, and what is a thread's own is told by its offset.

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; A block's site has its instructions, by line and class: an access of 4 bytes has 32 patterns, of 16
; bytes 8.
; CHECK-DAG: @heddle.counted.sites = internal constant { ptr, i32, i32, i32, i32 }
; CHECK-LABEL: define void @f
; CHECK: call void @heddle.count.block(ptr @[[ENTRY:[a-z0-9.]+]])
; CHECK: call void @heddle.count.branch(ptr @{{.*}}, i1 %some)
; CHECK: more:
; CHECK: call void @heddle.count.block
; CHECK: call void @heddle.count.access(ptr @{{.*}}, ptr %{{.*}})
; CHECK-NEXT: %a = load float
; CHECK-NOT: @heddle.count.access
; CHECK: %d = load float
; CHECK: call void @heddle.count.local(ptr @{{.*}}, i64 %{{.*}})
; CHECK-NEXT: store float %sum
; CHECK: end:
; CHECK-NOT: @heddle.count.access
; CHECK: ret void
define void @f(ptr %context, ptr addrspace(1) %p) "heddle.context" {
entry:
  %own = alloca [8 x float]
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp ult i32 %x, 7
  br i1 %some, label %more, label %end
more:
  %at = zext i32 %x to i64
  %p0 = getelementptr [4 x float], ptr addrspace(1) %p, i64 %at
  %p1 = getelementptr float, ptr addrspace(1) %p0, i64 1
  %p2 = getelementptr float, ptr addrspace(1) %p0, i64 2
  %p3 = getelementptr float, ptr addrspace(1) %p0, i64 3
  %a = load float, ptr addrspace(1) %p0, align 16
  %b = load float, ptr addrspace(1) %p1, align 4
  %c = load float, ptr addrspace(1) %p2, align 4
  %d = load float, ptr addrspace(1) %p3, align 4
  %ab = fadd float %a, %b
  %cd = fadd float %c, %d
  %sum = fadd float %ab, %cd
  %place = getelementptr [8 x float], ptr %own, i64 0, i64 %at
  store float %sum, ptr %place
  br label %end
end:
  ret void
}
