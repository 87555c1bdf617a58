# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVTX: what a program tells heddle profile and NVIDIA's tools with ranges, marks and names."""

import json
import pathlib
import shutil
import tempfile

import browser
from cli import BUILD, SOURCE, CliTest, main

RANGES = """\
#include <cstdio>
#include <thread>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <nvtx3/nvtx3.hpp>
__global__ void first(float *x) { x[threadIdx.x] = 1; }
__global__ void second(float *x) { x[threadIdx.x] += 1; }
struct Solver {
  static constexpr const char *name = "solver";
};
int main() {
  float *x;
  cudaMalloc(&x, 32 * sizeof(float));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  nvtxNameCudaStreamA(stream, "compute");
  nvtxNameCategoryA(7, "io");
  nvtxRangePushA("outer");
  for (int i = 0; i < 3; ++i) {
    nvtx3::scoped_range step("step", nvtx3::category(7), nvtx3::payload(i), nvtx3::rgb(255, 0, 0));
    first<<<1, 32, 0, stream>>>(x);
  }
  nvtxRangePop();
  nvtx3::mark_in<Solver>("here", nvtx3::payload(0.5), nvtx3::category(7));
  {
    nvtx3::scoped_range_in<Solver> in(L"sch\\u00f6n");
    second<<<1, 32, 0, stream>>>(x);
  }
  const nvtxRangeId_t all = nvtxRangeStartA("all");
  std::thread([&] {
    second<<<1, 32>>>(x);
    nvtxRangeEnd(all);
  }).join();
  nvtxRangePop(); // without a push
  nvtxRangePushA("open");
  return cudaDeviceSynchronize();
}
"""


class Ranges(CliTest):
    def setUp(self):
        super().setUp()
        self.write("ranges.cu", RANGES)
        self.expect(self.heddlecc("-std=c++17", "ranges.cu", "-o", "ranges"))

    def tool(self, name, *arguments):
        return self.command(BUILD / "share" / "heddle" / "toolkit" / "bin" / name, *arguments)

    def test_json(self):
        result = self.expect(self.heddle("profile", "--json", "--trace", "trace.json", "./ranges"))
        profile = json.loads(result.out.splitlines()[-1])
        self.assertEqual({row["name"]: (row["style"], row["instances"], row["kernels"]) for row in profile["ranges"]}, {
            "outer": ("PushPop", 1, 3), "step": ("PushPop", 3, 3), "solver:schön": ("PushPop", 1, 1),
            "all": ("StartEnd", 1, 1), "open": ("PushPop", 1, 0)})
        kernels = sum(e["end"] - e["begin"] for e in profile["events"] if e["kind"] == "kernel" and e["name"].startswith("first"))
        for row in profile["ranges"]:
            self.assertEqual(row["total"] // row["instances"], row["average"])
            self.assertTrue(row["least"] <= row["median"] <= row["most"] <= row["total"])
            if row["name"] in ("outer", "step"):
                self.assertEqual(row["kernel_time"], kernels)
        steps = [e for e in profile["events"] if e["name"] == "step"]
        self.assertEqual([(e["kind"], e["level"], e["category"], e["payload"], e["color"], e["domain"]) for e in steps],
                         [("range", 1, "io", str(i), 0xffff0000, "") for i in range(3)])
        here, = [e for e in profile["events"] if e["kind"] == "mark"]
        # A category's name is its domain's: 7 has none in this one.
        self.assertEqual((here["name"], here["domain"], here["category"], here["payload"]), ("here", "solver", "7", "0.5"))
        self.assertEqual(profile["names"], [{"kind": "stream", "track": 0, "name": "compute"}])
        with open(self.work / "trace.json", encoding="utf-8") as file:
            events = json.load(file)["traceEvents"]
        tracks = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name" and e["pid"] == 2}
        self.assertEqual(sorted(tracks.values()), ["thread 0", "thread 0: solver"])
        in_solver, = [e for e in events if e["name"] == "schön"]
        self.assertEqual((in_solver["ph"], in_solver["args"], tracks[in_solver["tid"]]),
                         ("X", {"domain": "solver"}, "thread 0: solver"))
        self.assertEqual([e["ph"] for e in events if e["name"] == "all"], ["b", "e"])
        self.assertIn("compute", [e["args"]["name"] for e in events if e["name"] == "thread_name"])

    def test_for_people(self):
        result = self.expect(self.heddle("profile", "./ranges"), 0, err_has="NVTX ranges (kernels: those that were launched in them)\n")
        self.assertRegex(result.err, r"% +\S+ +3 +\S+ +\S+ +\S+ +\S+ +3 +\S+  step\n")
        rows = self.expect(self.heddle("profile", "--csv", "./ranges"), out_has=[
            '"[NVTX] step",3,,,range_kernels,,3\n', '"[NVTX] solver:schön",1,,,range_kernels,,1\n']).out
        self.assertRegex(rows, r'"\[NVTX\] outer",1,,,range_time_total,ns,\d+\n')
        self.expect(self.heddle("profile", "--csv", "ranges.cu", "-std=c++17", "-DNVTX_DISABLE"), 0, err_lacks="NVTX")

    def test_nvidias_tools(self):
        text = self.expect(self.tool("nvprof", "./ranges"), 0, err_has=["NVTX result:\n", '  Range "solver:schön"\n']).err
        self.assertRegex(text, r"Range: +100\.00% +\S+ +3 +\S+ +\S+ +\S+  step\n +Kernels: 3 launched, \S+\n")
        text = self.expect(self.tool("nsys", "profile", "--trace=cuda,nvtx", "--stats=true", "-o", "r", "./ranges")).out
        self.assertRegex(text, r"\(nvtx_sum\):\n[^*]+ 3 .*  PushPop   :step\n[^*]+\*\* CUDA API Summary")
        text = self.expect(self.tool("nsys", "stats", "--report", "nvtx_pushpop_sum,nvtx_gpu_proj_sum", "r.nsys-rep")).out
        self.assertRegex(text, r"\(nvtx_pushpop_sum\):\n[^*]+ 1 .*  PushPop   solver:schön\n")
        self.assertRegex(text, r"\(nvtx_gpu_proj_sum\):\n[^*]+ PushPop +3 +3  step\n")
        self.assertNotIn("CUDA API", text)
        pushed = text[:text.index("nvtx_gpu_proj_sum")]
        self.assertNotIn("all", pushed)
        self.expect(self.tool("nsys", "stats", "-r", "nvtx_pushpop_sun", "r.nsys-rep"), 1,
                    err_has="there is no report nvtx_pushpop_sun; there are nvtx_pushpop_sum, ")

    def test_ncu_chooses_by_range(self):
        def launches(*options):
            result = self.tool("ncu", "--csv", "--nvtx", *options, "--metrics", "warps_launched", "./ranges")
            self.expect(result)
            return [line.split('"')[5].split("(")[0] for line in result.out.splitlines()[1:]]
        first, second = ["first"], ["second"]
        for options, kernels in [
                ((), first * 3 + second * 2),
                (("--nvtx-include", "step/"), first * 3),
                (("--nvtx-include", "step]", "-c", "1"), first),
                (("--nvtx-include", "outer/step"), first * 3),
                (("--nvtx-include", "[outer/*/regex:st.*]"), first * 3),
                (("--nvtx-include", "[step"), []),
                (("--nvtx-include", "outer]"), []),
                (("--nvtx-include", "step/outer"), []),
                (("--nvtx-include", "step"), []),  # of started ranges
                (("--nvtx-include", "all"), second),
                (("--nvtx-include", "all/"), []),
                (("--nvtx-include", "solver@schön/"), second),
                (("--nvtx-include", "schön/"), []),  # of the default domain
                (("--nvtx-include", "all", "--nvtx-include", "step/"), first * 3 + second),
                (("--nvtx-exclude", "outer/"), second * 2)]:
            with self.subTest(options=options):
                self.assertEqual(launches(*options), kernels)
        self.expect(self.tool("ncu", "--nvtx", "--nvtx-include", "none/", "./ranges"), 0, err_has="No kernels were profiled")
        self.expect(self.tool("ncu", "--nvtx-include", "step/", "./ranges"), 1, err_has="need --nvtx")
        self.expect(self.tool("ncu", "--nvtx", "--nvtx-include", "/", "./ranges"), 1, err_has="names no range")

    def test_in_the_page(self):
        result = self.heddle("profile", "--html", "page.html", "./ranges")
        if "this build of Heddle has no page" in result.err or not browser.program():
            self.skipTest("no page in this build, or chromium is not installed")
        self.expect(result)
        folder = pathlib.Path(tempfile.mkdtemp(prefix="heddle-browser-"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        page = browser.Browser(folder)
        self.addCleanup(page.close)
        page.open(self.work / "page.html")
        self.assertEqual(page.value("[...document.querySelectorAll('#timeline text.track')].map(e => e.textContent)"),
                         ["Thread 0", "Thread 0 NVTX", "Thread 0 NVTX +", "Thread 0 NVTX 2", "Thread 1", "compute", "Stream 1"])
        # Neighbours that a screen could not tell apart are one box.
        self.assertGreater(page.value("document.querySelectorAll('#timeline rect.range').length"), 0)

    def test_programs_without_heddle(self):
        """The headers alone, in C and by another compiler; and the library of NVTX 2."""
        self.write("plain.c", """\
#include <nvToolsExt.h>
#include <nvtx3/nvToolsExtCuda.h>
int main(void) {
  nvtxDomainHandle_t domain = nvtxDomainCreateA("d");
  nvtxEventAttributes_t event = {0};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  event.message.registered = nvtxDomainRegisterStringW(domain, L"text");
  nvtxDomainRangePushEx(domain, &event);
  nvtxNameCuDeviceA(0, "device");
  return nvtxRangePushA("a") != 1 || nvtxRangePop() != 1 || nvtxDomainRangePop(domain) != 0;
}
""")
        for compiler in ("gcc", "clang-19"):
            if shutil.which(compiler):
                self.expect(self.command(compiler, "-Wall", "-Werror", f"-I{SOURCE}/include", "plain.c", "-o", "plain"))
                self.expect(self.command("./plain"))
        self.write("old.cu", """\
extern "C" int nvtxRangePushA(const char *);
extern "C" int nvtxRangePop();
__global__ void kernel() {}
int main() {
  nvtxRangePushA("old");
  kernel<<<1, 1>>>();
  nvtxRangePop();
  return cudaDeviceSynchronize();
}
""")
        self.expect(self.heddle("profile", "--csv", "old.cu", "-lnvToolsExt"), out_has='"[NVTX] old",1,,,range_kernels,,1\n')


if __name__ == "__main__":
    main()
