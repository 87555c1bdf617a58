// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcc's command line, and its warnings as errors.
//--- unknown_option -frobnicate
__global__ void k() {}
//--- unknown_long_option --frobnicate
__global__ void k() {}
//--- option_without_value -arch
__global__ void k() {}
//--- std_98 -std=c++98
__global__ void k() {}
//--- std_03 -std=c++03
__global__ void k() {}
//--- std_11 -std=c++11
__global__ void k() {}
//--- std_23 -std=c++23
__global__ void k() {}
//--- std_26 -std=c++26
__global__ void k() {}
//--- std_gnu17 -std=gnu++17
__global__ void k() {}
//--- std_unknown -std=c++18
__global__ void k() {}
//--- std_twice -std=c++14 -std=c++17
__global__ void k() {}
//--- language_unknown -x cuda
__global__ void k() {}
//--- optimise_4 -O4
__global__ void k() {}
//--- optimise_fast -Ofast
__global__ void k() {}
//--- optimise_twice -O2 -O3
__global__ void k() {}
//--- debug_and_lineinfo -G -lineinfo
__global__ void k() {}
//--- debug_and_optimise -G -O3
__global__ void k() {}
//--- fast_math -use_fast_math
__global__ void k() {}
//--- ftz_word -ftz=maybe
__global__ void k() {}
//--- rdc_word -rdc=maybe
__global__ void k() {}
//--- machine_32 -m32
__global__ void k() {}
//--- machine_64 -m64
__global__ void k() {}
//--- default_stream_unknown -default-stream sometimes
__global__ void k() {}
//--- cudart_unknown -cudart=dynamic
__global__ void k() {}
//--- threads_word -t many
__global__ void k() {}
//--- werror_unknown -Werror everything
__global__ void k() {}
//--- werror_all -Werror all-warnings
int host(int x) { return x; }
__host__ __device__ int f(int x) { return host(x); }
__global__ void k(int *p) { *p = f(1); }
//--- werror_cross_execution -Werror cross-execution-space-call
int host(int x) { return x; }
__host__ __device__ int f(int x) { return host(x); }
__global__ void k(int *p) { *p = f(1); }
//--- werror_device_variable -Werror all-warnings
__device__ int x;
int main() { return x; }
//--- warnings_off -w
__device__ int x;
int main() { return x; }
//--- suppress_by_number -diag-suppress 20091
__device__ int x[2];
int main() { return x[0]; }
//--- suppress_two_by_number -diag-suppress=20091,20092
__device__ int x[2];
int main() { return x[0] + (x == nullptr); }
//--- suppress_cudafe -Xcudafe --diag_suppress=20091
__device__ int x[2];
int main() { return x[0]; }
//--- error_by_number -diag-error 20091
__device__ int x[2];
int main() { return x[0]; }
//--- warn_by_number -diag-warn 20091
__device__ int x[2];
int main() { return x[0]; }
//--- pragma_suppress
#pragma nv_diag_suppress 20091
__device__ int x[2];
int main() { return x[0]; }
//--- suppress_by_name -Xcudafe --diag_suppress=esa_on_defaulted_function_ignored
struct S {
  __device__ S() = default;
};
//--- pragma_suppress_by_name
#pragma nv_diag_suppress esa_on_defaulted_function_ignored
struct S {
  __device__ S() = default;
};
//--- pragma_error
#pragma nv_diag_error 20091
__device__ int x[2];
int main() { return x[0]; }
//--- pragma_push_pop
__device__ int x[2];
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20091
int one() { return x[0]; }
#pragma nv_diagnostic pop
int two() { return x[0]; }
//--- pragma_default
#pragma nv_diag_error 20091
#pragma nv_diag_default 20091
__device__ int x[2];
int main() { return x[0]; }
//--- pragma_old_name
#pragma diag_suppress 20091
__device__ int x[2];
int main() { return x[0]; }
//--- pragma_exec_check
int host(int x) { return x; }
#pragma nv_exec_check_disable
__host__ __device__ int f(int x) { return host(x); }
__global__ void k(int *p) { *p = f(1); }
//--- pragma_hd_warning
int host(int x) { return x; }
#pragma hd_warning_disable
__host__ __device__ int f(int x) { return host(x); }
__global__ void k(int *p) { *p = f(1); }
//--- suppress_cross_execution -diag-suppress 20014
int host(int x) { return x; }
__host__ __device__ int f(int x) { return host(x); }
__global__ void k(int *p) { *p = f(1); }
//--- suppress_unknown -diag-suppress 99999
__global__ void k() {}
//--- suppress_text -diag-suppress nothing
__global__ void k() {}
//--- display_error_number -Xcudafe --display_error_number
__device__ int x;
int main() { return x; }
//--- no_display_error_number --no-display-error-number
__device__ int x;
int main() { return x; }
//--- ptxas_werror -Xptxas -Werror
__global__ void __launch_bounds__(1024, 8) k(int *p) { *p = 1; }
//--- ptxas_unknown -Xptxas --frobnicate
__global__ void k(int *p) { *p = 1; }
//--- ptxas_verbose -Xptxas -v
__global__ void k(int *p) { *p = 1; }
//--- ptxas_warn_spills -Xptxas -warn-spills -maxrregcount=24
__global__ void k(int *p) { *p = 1; }
//--- host_compiler_missing -ccbin /nowhere/g++
__global__ void k() {}
//--- expt_unknown --expt-relaxed-everything
__global__ void k() {}
//--- extended_lambda_old_name -expt-extended-lambda
__global__ void k() {}
//--- split_compile -split-compile=2
__global__ void k() {}
//--- link_time_optimisation -dlto
__global__ void k() {}
//--- xcompiler_unknown -Xcompiler -frobnicate
__global__ void k() {}
//--- define_undefine -DX=1 -UX
#ifdef X
#error defined
#endif
__global__ void k() {}
//--- include_file_missing -include missing.h
__global__ void k() {}
