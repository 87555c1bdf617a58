; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: ! heddle-opt --passes=canonicalise %s 2>&1 | FileCheck %s --check-prefix=NAME
; RUN: ! heddle-opt --passes=inline-calls %s 2>&1 | FileCheck %s --check-prefix=WHOLE
; RUN: ! heddle-opt --passes=linearize --state=lnaes=3 %s 2>&1 | FileCheck %s --check-prefix=STATE
; RUN: ! heddle-opt --passes=linearize %s.missing 2>&1 | FileCheck %s --check-prefix=FILE

; NAME: heddle-opt: there is no pass canonicalise (see --list-passes)
; WHOLE: heddle-opt: pass inline-calls needs a whole program
; STATE: heddle-opt: 'lnaes=3' is not a part of the compiler's state
; FILE: Could not open input file
define void @f() {
  ret void
}
