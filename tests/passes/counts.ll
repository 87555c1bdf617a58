; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: heddle-opt --passes=mark-counts %s | FileCheck %s
;
; Blocks with something to count, branches and accesses are marked; four neighbours are one access of
; 16 bytes, and what is a thread's own is told by its offset. The last argument of blocks and branches
; is the visit that halves of a warp of 64 threads have in common; of warps of 32 it is 0.

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; A block's site has its instructions: two that address (class 0), three additions (7), a store (17)
; and a load (16). An access of 4 bytes has 32 patterns, one of 16 bytes has 8.
; CHECK: { ptr null, i32 0, i32 2 }, {{.*}} { ptr null, i32 7, i32 3 }, {{.*}} { ptr null, i32 17, i32 1 }, {{.*}} { ptr null, i32 16, i32 1 }
; CHECK: @[[LOAD:observed.site[.0-9]*]] = {{.*}} { ptr null, i32 2, i32 6, ptr null, i32 0, i32 0, i32 -1, i32 0, i32 0, i32 16,
; CHECK: @[[STORE:observed.site[.0-9]*]] = {{.*}} { ptr null, i32 2, i32 85, ptr null, i32 0, i32 0, i32 -1, i32 1, i32 2, i32 4,
; CHECK: @heddle.counted.sites = {{.*}} { ptr @observed.sites, i32 6, i32 166, i32 2, i32 40, i32 0, i32 0 }
; CHECK-LABEL: define void @f
; CHECK: call void @heddle.count.block(ptr @observed.site, i64 0)
; CHECK: call void @heddle.count.branch(ptr @{{.*}}, i1 %some, i64 0)
; CHECK: more:
; CHECK: call void @heddle.count.block
; CHECK: call void @heddle.count.access(ptr @[[LOAD]], ptr %{{.*}})
; CHECK-NEXT: %a = load float
; CHECK-NOT: @heddle.count.access
; CHECK: %d = load float
; CHECK: call void @heddle.count.local(ptr @[[STORE]], i64 %{{.*}})
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
