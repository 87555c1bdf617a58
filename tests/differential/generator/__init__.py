# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random CUDA kernels that are free of races and of undefined behaviour by construction.

    tree          expressions and statements: what a kernel is made of, how it becomes text
    scope         what a statement may use at its place in a kernel
    expressions   random expressions
    indices       what elements of the input they read
    narrow        arithmetic of bytes and words
    statements    random control flow and assignments
    members       elements that lie side by side in each thread
    tables        elements down the columns of tables
    places        many threads that ask only for their place in the grid
    cooperation   what threads do together: warp operations, barriers, shared memory, atomics
    trees         trees of sums, and what only some threads do between barriers
    functions     device functions, called directly, recursively, by pointer and virtually
    kernel        a whole kernel and its launch
    program       many kernels and a main() as one .cu file

Kernel number i of a seed is always the same, whatever else is generated.
"""
