# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVBLAS: programs that are linked with a BLAS, with libnvblas.so before it, and its configuration."""

from cli import BUILD, CliTest, main

# Every routine, as Fortran calls it, for matrices of random numbers; a line of each has its name and sums.
PROGRAM = """\
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
typedef float s; typedef double d; typedef float complex c; typedef double complex z;
static int m, n, k;
static const int ld = 1500;
static unsigned seed;
static double number(void) { seed = seed * 1664525u + 1013904223u; return (seed >> 8) / 16777216.0 - 0.5; }
#define IS_COMPLEX(T) (sizeof(T) == sizeof(c) * 2 || #T[0] == 'c')
#define FOR(p, T)                                                                                   \\
  static T *p##matrix(void) {                                                                       \\
    T *a = malloc(sizeof(T) * ld * ld);                                                             \\
    seed = 1;                                                                                       \\
    for (int i = 0; i < ld * ld; ++i) a[i] = (T)(number() / 64 + (#p[0] > 'd' || #p[0] == 'c' ? number() / 64 * I : 0)); \\
    for (int i = 0; i < ld; ++i) a[i * ld + i] = 2;                                                 \\
    return a;                                                                                       \\
  }                                                                                                 \\
  static void p##tell(const char *name, T *r) {                                                     \\
    double one = 0, other = 0;                                                                      \\
    for (int i = 0; i < ld * ld; ++i) one += creal(r[i]) * (i % 11), other += cimag(r[i]) * (i % 7);\\
    printf("%s%s %.12g %.12g\\n", #p, name, one, other);                                            \\
    free(r);                                                                                        \\
  }                                                                                                 \\
  void p##gemm_(), p##syrk_(), p##syr2k_(), p##symm_(), p##trsm_(), p##trmm_();                     \\
  static void p##run(int complexes) {                                                               \\
    T *a = p##matrix(), *b = p##matrix(), *r, alpha = 0.5, beta = 0.25;                             \\
    r = p##matrix(); p##gemm_("N", "T", &m, &n, &k, &alpha, a, &ld, b, &ld, &beta, r, &ld); p##tell("gemm NT", r); \\
    r = p##matrix(); p##gemm_("c", "n", &m, &n, &k, &alpha, a, &ld, b, &ld, &beta, r, &ld); p##tell("gemm cn", r); \\
    r = p##matrix(); p##syrk_("U", "N", &n, &k, &alpha, a, &ld, &beta, r, &ld); p##tell("syrk UN", r); \\
    r = p##matrix(); p##syrk_("l", complexes ? "t" : "c", &n, &k, &alpha, a, &ld, &beta, r, &ld); p##tell("syrk lt", r); \\
    r = p##matrix(); p##syr2k_("L", "T", &n, &k, &alpha, a, &ld, b, &ld, &beta, r, &ld); p##tell("syr2k LT", r); \\
    r = p##matrix(); p##symm_("L", "U", &m, &n, &alpha, a, &ld, b, &ld, &beta, r, &ld); p##tell("symm LU", r); \\
    r = p##matrix(); p##symm_("R", "L", &m, &n, &alpha, a, &ld, b, &ld, &beta, r, &ld); p##tell("symm RL", r); \\
    r = p##matrix(); p##trsm_("L", "U", "N", "N", &m, &n, &alpha, a, &ld, r, &ld); p##tell("trsm LUNN", r); \\
    r = p##matrix(); p##trsm_("R", "L", "C", "U", &m, &n, &alpha, a, &ld, r, &ld); p##tell("trsm RLCU", r); \\
    r = p##matrix(); p##trmm_("R", "U", "T", "N", &m, &n, &alpha, a, &ld, r, &ld); p##tell("trmm RUTN", r); \\
    r = p##matrix(); p##trmm_("L", "L", "N", "U", &m, &n, &alpha, a, &ld, r, &ld); p##tell("trmm LLNU", r); \\
    free(a), free(b);                                                                               \\
  }
#define FOR_COMPLEX(p, T, R)                                                                        \\
  void p##herk_(), p##her2k_(), p##hemm_();                                                         \\
  static void p##more(void) {                                                                       \\
    T *a = p##matrix(), *b = p##matrix(), *r, alpha = 0.5 + 0.25 * I, beta = 0.25;                  \\
    R real = 0.5, real_beta = 0.25;                                                                 \\
    r = p##matrix(); p##herk_("U", "N", &n, &k, &real, a, &ld, &real_beta, r, &ld); p##tell("herk UN", r); \\
    r = p##matrix(); p##her2k_("L", "C", &n, &k, &alpha, a, &ld, b, &ld, &real_beta, r, &ld); p##tell("her2k LC", r); \\
    r = p##matrix(); p##hemm_("L", "L", &m, &n, &alpha, a, &ld, b, &ld, &beta, r, &ld); p##tell("hemm LL", r); \\
    free(a), free(b);                                                                               \\
  }
FOR(s, s) FOR(d, d) FOR(c, c) FOR(z, z) FOR_COMPLEX(c, c, float) FOR_COMPLEX(z, z, double)
int main(int count, char **size) {
  m = 600, n = 860, k = 1460; // large enough for all routines
  if (count > 1) m = atoi(size[1]), n = m * 6 / 7, k = m * 8 / 7;
  srun(0), drun(0), crun(1), zrun(1), cmore(), zmore();
  return 0;
}
"""
ROUTINES = 4 * 11 + 2 * 3

# What LAPACK behind cuSOLVER computes on a stream may not wait for a stream.
SOLVER = """\
#include <cstdio>
#include <cusolverDn.h>
#include <vector>
int main() {
  const int n = 600;
  std::vector<double> a(n * n);
  for (int i = 0; i < n * n; ++i) a[i] = (i * 7919ll % 1013) / 1013.0 + (i % (n + 1) == 0) * n;
  double *matrix, *tau, *work;
  int *info, size = 0, found = -1;
  cudaMalloc(&matrix, n * n * 8);
  cudaMalloc(&tau, n * 8);
  cudaMalloc(&info, 4);
  cudaMemcpy(matrix, a.data(), n * n * 8, cudaMemcpyHostToDevice);
  cusolverDnHandle_t handle;
  cusolverDnCreate(&handle);
  cusolverDnDgeqrf_bufferSize(handle, n, n, matrix, n, &size);
  cudaMalloc(&work, size * 8);
  cusolverStatus_t status = cusolverDnDgeqrf(handle, n, n, matrix, n, tau, work, size, info);
  cudaMemcpy(&found, info, 4, cudaMemcpyDeviceToHost);
  std::printf("%d %d\\n", status, found);
}
"""


class Nvblas(CliTest):
    def setUp(self):
        super().setUp()
        self.write("program.c", PROGRAM)
        for blas in ("-lblas", "-lopenblas"):
            linked = self.command("cc", "-w", "-O2", "program.c", "-o", "program", blas, "-lm")
            if linked.code == 0:
                return
        self.skipTest("there is no BLAS that programs could be linked with")

    def run_with(self, release, *arguments, program="./program", **env):
        return self.command(program, *arguments, env={"LD_PRELOAD": f"{BUILD}/lib/libnvblas.so.{release}", **env})

    def configure(self, *lines, name="nvblas.conf"):
        self.write(name, "".join(line + "\n" for line in lines))

    @staticmethod
    def logged(result, where):
        return [line.split("[")[1][len("NVBLAS] "):] for line in result.err.splitlines() if f"[{where}]: " in line]

    def expect_same(self, result, reference):
        """The same lines, with numbers as near as float's sums in another order are."""
        self.expect(result)
        mine, theirs = result.out.splitlines(), reference.out.splitlines()
        self.assertEqual(len(mine), ROUTINES)
        self.assertEqual(len(theirs), ROUTINES)
        for one, other in zip(mine, theirs):
            *name, a, b = one.split()
            *other_name, c, d = other.split()
            self.assertEqual(name, other_name)
            scale = 1e-4 if name[0][0] in "sc" else 1e-10
            for x, y in ((float(a), float(c)), (float(b), float(d))):
                self.assertLessEqual(abs(x - y), scale * (abs(y) + 100), (one, other))

    def test_all_routines(self):
        self.configure("# a comment", "", "NVBLAS_CPU_BLAS_LIB libblas.so.3", "NVBLAS_TRACE_LOG_ENABLED",
                       "NVBLAS_GPU_LIST ALL", "NVBLAS_AUTOPIN_MEM_ENABLED", "NVBLAS_TILE_DIM  512")
        result = self.run_with(13)
        self.expect_same(result, self.command("./program"))
        self.assertEqual(len(self.logged(result, "gpu")), ROUTINES, result)
        self.assertIn("[NVBLAS] dgemm[gpu]: ta=N, tb=T, m=600, n=860, k=1460\n", result.err)
        # Small ones are the CPU's; letters are the program's.
        for release in (12, 13):
            result = self.run_with(release, "20")
            self.expect_same(result, self.command("./program", "20"))
            self.assertEqual((len(self.logged(result, "cpu")), len(self.logged(result, "gpu"))), (ROUTINES, 0))
            self.assertIn("[NVBLAS] dgemm[cpu]: ta=c, tb=n, m=20, n=17, k=22\n", result.err)

    def test_first_lines(self):
        self.configure("NVBLAS_CPU_BLAS_LIB libblas.so.3")
        self.expect(self.run_with(13, "7"), err="""\
[NVBLAS] NVBLAS_CONFIG_FILE environment variable is NOT set : relying on default config filename 'nvblas.conf'
[NVBLAS] Config parsed
""")
        # Nothing is said before the first call.
        self.expect(self.run_with(13, program="true"), err="")
        self.configure("NVBLAS_CPU_BLAS_LIB libblas.so.3", "NVBLAS_LOGFILE a log.txt", "NVBLAS_TRACE_LOG_ENABLED",
                       "NVBLAS_GPU_LIST 1 0", name="other.conf")
        self.expect(self.run_with(12, "7", NVBLAS_CONFIG_FILE="other.conf", HEDDLE_DEVICES="2"),
                    err="[NVBLAS] NVBLAS_CONFIG_FILE environment variable is set to 'other.conf'\n")
        lines = (self.work / "a log.txt").read_text().splitlines()
        self.assertEqual(lines[:2], ["[NVBLAS] Using devices :1 0 ", "[NVBLAS] Config parsed"])
        self.assertEqual(len(lines), 2 + ROUTINES)

    def test_what_stays_on_the_cpu(self):
        self.configure("NVBLAS_CPU_BLAS_LIB libblas.so.3", "NVBLAS_TRACE_LOG_ENABLED", "NVBLAS_GPU_DISABLED_DGEMM",
                       "NVBLAS_GPU_DISABLED_ZHERK", "NVBLAS_CPU_RATIO_SGEMM 1", "NVBLAS_CPU_RATIO_CGEMM 0.5")
        result = self.run_with(13)
        self.expect_same(result, self.command("./program"))
        self.assertEqual({line.split("[")[0] for line in result.err.replace("[NVBLAS] ", "").splitlines() if "[cpu]" in line},
                         {"dgemm", "zherk", "sgemm"})
        # Within what a stream runs, all.
        self.write("solver.cu", SOLVER)
        self.expect(self.heddlecc("solver.cu", "-o", "solver", "-lcusolver"))
        self.expect(self.run_with(13, program="./solver"), 0, "0 0\n")

    def test_bad_configurations(self):
        reference = self.command("./program", "30")
        not_there = "[NVBLAS] Cannot open default config file 'nvblas.conf'\n[NVBLAS] Config parsed\n" \
                    "[NVBLAS] CPU Blas library need to be provided\n"
        result = self.run_with(13, "30")
        self.expect(result, err_has=not_there)
        self.expect_same(result, reference)
        for lines, message in (
                (["NVBLAS_CPU_BLAS_LIB /none/libblas.so"], "Cannot open CPU Library '/none/libblas.so': "),
                ([f"NVBLAS_CPU_BLAS_LIB {BUILD}/lib/libnvblas.so.13"], "Config parsed"),
                (["NVBLAS_TILE_DIM many"], "NVBLAS_TILE_DIM: \"many\" is no value of it, and is ignored"),
                (["NVBLAS_CPU_RATIO_DGEMM 2"], "NVBLAS_CPU_RATIO_DGEMM: \"2\" is no value of it, and is ignored"),
                (["NVBLAS_GPU_LIST 0 7"], "NVBLAS_GPU_LIST: there is no device 7"),
                (["NVBLAS_GPU_LIST x"], "No device selected"),
                (["NVBLAS_LOGFILE /none/log"], "Cannot open the log file '/none/log': No such file or directory"),
                (["NVBLAS_NONSENSE 1"], "there is no keyword NVBLAS_NONSENSE: the line is ignored")):
            self.configure(*lines)
            result = self.run_with(13, "30")
            self.expect(result, err_has=message)
            self.expect_same(result, reference)
        self.expect(self.run_with(13, "30", NVBLAS_CONFIG_FILE="/none"), err_has="Cannot open config file '/none'")


if __name__ == "__main__":
    main()
