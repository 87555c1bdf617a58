# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle profile --html: the page in a browser, and what goes wrong when it is written."""

import json
import pathlib
import shutil
import tempfile
import unittest

import browser
from cli import CliTest, main

TRANSPOSES = """\
#include <cstdio>
// </script><!-- is no end of anything
__global__ void naive(const float *in, float *out, int n) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}
__global__ void tiled(const float *in, float *out, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void sum(float *data) {
  __shared__ float part[256];
  int t = threadIdx.x;
  part[t] = data[t];
  __syncthreads();
  for (int stride = 1; stride < 256; stride *= 2) {
    if (t % (2 * stride) == 0)
      part[t] += part[t + stride];
    __syncthreads();
  }
  if (t == 0)
    data[0] = part[0];
}
int main() {
  float *a, *b;
  cudaMalloc(&a, 128 * 128 * sizeof(float));
  cudaMalloc(&b, 128 * 128 * sizeof(float));
  cudaMemset(a, 0, 128 * 128 * sizeof(float));
  naive<<<dim3(4, 4), dim3(32, 32)>>>(a, b, 128);
  tiled<<<dim3(4, 4), dim3(32, 32)>>>(a, b, 128);
  sum<<<1, 256>>>(a);
  return cudaDeviceSynchronize();
}
"""


class PageTest(CliTest):
    def page_or_skip(self, *options, code=0):
        result = self.heddle("profile", *options, "transposes.cu")
        if "this build of Heddle has no page" in result.err:
            self.skipTest("this build has no page: npm or its packages were missing")
        return self.expect(result, code)


class Writing(PageTest):
    def test_what_cannot_be_written(self):
        self.write("transposes.cu", TRANSPOSES)
        for path, reason in (("/dev/full", "No space left on device"), ("none/p.html", "No such file or directory")):
            result = self.page_or_skip("--html", path, "--csv", code=1)
            self.expect(result, 1, out_has='"naive(float const*, float*, int)",1,"(4,4,1)","(32,32,1)",warps_launched,,512\n',
                        err_has=f"cannot write {path}: {reason}")
        self.expect(self.heddle("profile", "--html"), 2)

    def test_a_program_that_crashes(self):
        # What is counted is kept every two seconds.
        self.write("transposes.cu", "#include <stdlib.h>\n#include <unistd.h>\n" + TRANSPOSES.replace("  sum<<<", "  sleep(3);\n  sum<<<").replace(
            "return cudaDeviceSynchronize();", "cudaDeviceSynchronize();\n  abort();"))
        result = self.page_or_skip("--html", "page.html", code=134)  # SIGABRT
        self.expect(result, 134, err_has=["did not come to its end", "sum(float*): 1 launch"])
        data = self.data("page.html")
        self.assertFalse(data["profile"]["complete"])
        self.assertEqual(len(data["profile"]["kernels"]), 3)

    def data(self, name):
        """What is embedded in a page; no string in it may end the element that it is in."""
        page = (self.work / name).read_text(encoding="utf-8")
        begin = page.index('<script type="application/json" id="profile">')
        text = page[page.index(">", begin) + 1:page.index("</script>", begin)]
        self.assertNotIn("<", text)
        return json.loads(text)

    def test_what_is_embedded(self):
        self.write("transposes.cu", TRANSPOSES)
        profile = json.loads(self.page_or_skip("--html", "page.html", "--json").out.splitlines()[-1])
        data = self.data("page.html")
        self.assertEqual(list(data["sources"].values()), [TRANSPOSES])
        self.assertEqual([k["metrics"] for k in data["profile"]["kernels"]], [k["metrics"] for k in profile["kernels"]])
        self.assertEqual(data["profile"]["events"], profile["events"])
        # A T4: 40 SMs of 64 lanes at 1.59 GHz, 320 GB/s (gpus/t4.json)
        self.assertEqual(data["gpu"]["fp32_per_second"], 2 * 40 * 64 * 1590e6)
        self.assertEqual(data["gpu"]["fp64_per_second"], 2 * 40 * 64 * 1590e6 / 32)
        self.assertEqual(data["gpu"]["bytes_per_second"], 320e9)
        for more in data["kernels"]:
            now = more["occupancy"]["now"]
            self.assertEqual(now, next(row for row in more["occupancy"]["table"] if row["threads"] == now["threads"]))

    def test_the_same_sample_from_any_number_of_workers(self):
        self.write("transposes.cu", TRANSPOSES)
        self.expect(self.heddlecc("transposes.cu", "-o", "transposes"))
        found = []
        for words in (("taskset", "-c", "0"), ("env",), ("env",)):
            result = self.command(*words, "heddle", "profile", "--json", "./transposes")
            self.expect(result)
            found.append([k["accesses"] for k in json.loads(result.out.splitlines()[-1])["kernels"]])
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0], found[2])
        store, = [a for a in found[0][0] if a["kind"] == "store"]
        self.assertEqual(store["sample"], {"units": 32, "offsets": [512 * lane for lane in range(32)]})


class Browsing(PageTest):
    SOURCE = TRANSPOSES

    def setUp(self):
        super().setUp()
        if not browser.program():
            self.skipTest("chromium is not installed (Debian package chromium; ./dev setup)")
        self.write("transposes.cu", self.SOURCE)
        result = self.page_or_skip("--html", "page.html", "--json", "--caches")
        self.profile = json.loads(result.out.splitlines()[-1])
        self.kernels = {k["name"].split("(")[0]: k for k in self.profile["kernels"]}
        folder = pathlib.Path(tempfile.mkdtemp(prefix="heddle-browser-"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        self.browser = browser.Browser(folder)
        self.addCleanup(self.browser.close)
        self.browser.open(self.work / "page.html")

    def text(self, selector):
        return self.browser.value(f"document.querySelector({json.dumps(selector)})?.textContent") or ""

    def count(self, selector):
        return self.browser.value(f"document.querySelectorAll({json.dumps(selector)}).length")

    def go(self, name):
        """By the link to a kernel."""
        i = self.names().index(name) + 1
        self.browser.click(f"nav a:nth-of-type({i})")
        self.browser.wait(f"document.querySelector('#kernel').textContent === {json.dumps(name)}")

    def names(self):
        return self.browser.value("[...document.querySelectorAll('nav .name')].map(e => e.textContent)")

    def check_kernel(self, name):
        """The metrics that the page shows are those of --json."""
        self.assertEqual(self.text("#kernel"), name)
        shown = self.browser.value("Object.fromEntries([...document.querySelectorAll('[data-metric]')].map("
                                   "e => [e.dataset.metric, e.textContent.replace(/[^\\d.]/g, '')]))")
        self.assertEqual(set(shown), set(self.kernels[name]["metrics"]))
        for metric, value in self.kernels[name]["metrics"].items():
            self.assertEqual(float(shown[metric]), round(value, 2) if value % 1 else value, metric)


class InABrowser(Browsing):
    def test_page(self):
        page = self.browser
        with self.subTest("opens alone"):
            self.assertEqual([url for url in page.requests() if not url.startswith("data:")],
                             [(self.work / "page.html").as_uri()])
            self.assertEqual(page.complaints(), [])
            self.assertIn("transposes.cu", page.value("document.title"))
        names = self.names()
        self.assertEqual(sorted(names), ["naive", "sum", "tiled"])
        shares = page.value("[...document.querySelectorAll('nav .cost')].map(e => parseFloat(e.textContent))")
        self.assertEqual(shares, sorted(shares, reverse=True))
        with self.subTest("clicks through"):
            for name in names:
                self.go(name)
                self.check_kernel(name)
        with self.subTest("pictures of requests"):
            self.go("naive")
            page.click("tr[data-line='5']")
            self.assertIn("32 sectors", self.text(".access figcaption"))
            self.assertEqual(page.value("document.querySelectorAll('.access')[0].querySelectorAll('rect.hit').length"), 32)
            self.assertEqual(page.value("document.querySelectorAll('.access')[0].querySelectorAll('rect.moved').length"), 32 * 7)
            self.assertEqual(page.value("document.querySelectorAll('.access')[1].querySelectorAll('rect.moved').length"), 0)
            self.go("tiled")
            page.click("tr[data-line='12']")
            self.assertEqual(self.count("rect.crowded"), 32)
            self.assertIn("32 wavefronts", self.text("aside"))
        with self.subTest("divergence by visit"):
            self.go("sum")
            page.click("tr[data-line='20']")
            by_visit = next(b["divergent_by_visit"] for b in self.kernels["sum"]["branches"] if b["place"]["line"] == 20)
            self.assertEqual(by_visit, [8, 8, 8, 8, 8, 4, 2, 1])
            self.assertIn("8, 8, 8, 8, 8, 4, 2, 1", page.value("document.querySelector('.branch svg').getAttribute('aria-label')"))
            page.click("button.place")
            self.assertIn(page.value("document.activeElement.dataset.line"), self.text("button.place"))
            rows = self.count("table.source tbody tr")
            page.click("caption input")
            self.assertEqual(self.count("table.source tbody tr"), len(TRANSPOSES.split("\n")))
            self.assertLess(rows, len(TRANSPOSES.split("\n")))
        with self.subTest("occupancy, roofline, timeline"):
            self.assertIn("limited by", self.text(".side figcaption"))
            self.assertIn("Tesla T4", self.text(".side figcaption"))
            self.assertEqual(self.count("#timeline rect.kernel"), 3)
            label = "document.querySelector('svg.timeline').getAttribute('aria-label')"
            whole = page.value(label)
            page.value("document.querySelector('#timeline .scroll').focus()")
            page.press("+")
            self.assertNotEqual(page.value(label), whole)
            page.press("-")
            self.assertEqual(page.value(label), whole)
            roofline = page.value("document.querySelector('.pair section:nth-child(2) svg').getAttribute('aria-label')")
            # 255 additions; each float is read once, and nothing is written to memory.
            self.assertIn(f"{255 / 1024:.3g} a byte of memory's", roofline)
        with self.subTest("caches"):
            self.go("naive")
            page.click("tr[data-line='5']")
            load, = [a for a in self.kernels["naive"]["accesses"] if a["kind"] == "load"]
            self.assertIn(f"in L1, 0 % of {load['l2_sectors']} in L2; ", self.text(".caches").replace("\u202f", "") +
                          page.value("[...document.querySelectorAll('.caches')].map(e => e.textContent).join()").replace("\u202f", ""))
            self.assertIn("L1 hit %", self.text("table.source thead"))
        self.assertEqual(page.complaints(), [])

    def test_widths(self):
        # The source has the room that its longest line needs, or all that the panel leaves.
        page = self.browser
        self.go("tiled")
        size = "[...document.querySelectorAll('.sources .scroll, .panel, .split')].map(e => [e.clientWidth, e.scrollWidth])"
        whole = set()
        for width in (1250, 1400, 1600, 1920):
            page.send("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=False)
            (split, _), (source, needed), (panel, _) = page.value(size)
            self.assertLessEqual(source + panel, split)
            self.assertLess(split - source - panel, 45, "the gap, a line and a scroll bar")
            self.assertGreaterEqual(panel, 360)
            if needed > source:
                self.assertLess(panel, 400, f"room that the source needs is empty at {width}")
            whole.add(needed <= source)
        self.assertEqual(whole, {False, True})

    def test_keyboard_colours_and_names(self):
        page = self.browser
        names = self.names()
        for key, there in (("j", 1), ("k", 0)):
            page.press(key)
            page.wait(f"document.querySelector('#kernel').textContent === {json.dumps(names[there])}")
        page.value("document.querySelector('tr[aria-current]').focus()")
        counted = page.value("[...document.querySelectorAll('tr.counted')].map(e => e.dataset.line)")
        page.press("Home")
        here = counted.index(page.value("document.activeElement.dataset.line"))
        page.press("ArrowDown" if here + 1 < len(counted) else "ArrowUp")
        there = page.value("document.activeElement.dataset.line")
        self.assertEqual(there, counted[here + (1 if here + 1 < len(counted) else -1)])
        self.assertIn(f":{there}", self.text("aside h3"))
        unnamed = page.value("[...document.querySelectorAll('svg[role=img], button, select, nav')].filter("
                             "e => !(e.getAttribute('aria-label') || e.textContent.trim())).length")
        self.assertEqual(unnamed, 0)
        paper = "getComputedStyle(document.body).backgroundColor"
        colours = {}
        for scheme in ("light", "dark"):
            page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            colours[scheme] = sum(int(part) for part in page.value(paper)[4:-1].split(","))
        self.assertGreater(colours["light"], 3 * 200)
        self.assertLess(colours["dark"], 3 * 60)
        page.send("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=1, mobile=True)
        self.assertLessEqual(page.value("document.documentElement.scrollWidth"), 390)
        self.assertGreater(len(page.send("Page.printToPDF")["data"]), 10000)
        self.assertEqual(page.complaints(), [])


class OfTextures(Browsing):
    SOURCE = """\
#include <cuda_runtime.h>
__global__ void columns(cudaTextureObject_t image, float *out) {
  out[threadIdx.y * 16 + threadIdx.x] = tex2D<float>(image, threadIdx.y + 0.5f, threadIdx.x + 0.5f);
}
int main() {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaResourceDesc image{};
  image.resType = cudaResourceTypeArray;
  cudaMallocArray(&image.res.array.array, &floats, 16, 16);
  cudaTextureDesc desc{};
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &image, &desc, nullptr);
  float *out;
  cudaMalloc(&out, 1024);
  columns<<<1, dim3(16, 16)>>>(texture, out);
  return cudaDeviceSynchronize();
}
"""

    def test_a_fetch(self):
        self.check_kernel("columns")
        self.browser.click("tr[data-line='3']")
        self.assertIn("fetch from a texture", self.text("aside"))
        self.assertIn("2 sectors a request, 1 would do", self.text("aside"))
        self.assertIn("64 requests by 256 threads, 4 bytes each; 128 sectors", self.text("aside"))
        self.assertIn("Texture", self.text("table.source thead"))
        self.assertEqual(self.browser.complaints(), [])


if __name__ == "__main__":
    main()
