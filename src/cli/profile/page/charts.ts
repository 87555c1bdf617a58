// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The charts that Plot draws: divergence by visit, requests by units, occupancy, the roofline.
import * as Plot from "@observablehq/plot";
import { Access, Branch, Gpu, Item, Occupancy, metric } from "./data.js";
import { bytes, h, number, plural, short, time } from "./dom.js";

const ink = "currentColor", strong = "var(--accent)", faint = "var(--rule)", second = "var(--second)";
const style = { fontFamily: "inherit", fontSize: "11px", background: "none", overflow: "visible" } as const;

function figure(chart: Element, label: string, caption: string): HTMLElement {
  chart.setAttribute("role", "img");
  chart.setAttribute("aria-label", label);
  return h("figure", { class: "chart" }, chart, h("figcaption", {}, caption));
}

/** Warps that diverge the k-th time they come to a branch. */
export function visitsChart(branch: Branch): HTMLElement {
  const most_bars = 128;
  const bars = branch.divergent_by_visit.slice(0, most_bars).map((warps, visit) => ({ warps, visit }));
  const label = `Divergent warps by visit: ${bars.slice(0, 16).map((bar) => bar.warps).join(", ")}${bars.length > 16 ? ", …" : ""}`;
  const step = Math.max(1, Math.ceil(bars.length / 12));
  const chart = Plot.plot({
    width: Math.min(440, 70 + bars.length * 34), height: 120, marginTop: 16, marginLeft: 44, marginBottom: 28, style,
    x: { label: "visit", type: "band", padding: 0.2, ticks: bars.filter((bar) => bar.visit % step === 0).map((bar) => bar.visit) },
    y: { label: null, ticks: 3, grid: true, nice: true, tickFormat: (value: number) => short(value) },
    marks: [Plot.barY(bars, { x: "visit", y: "warps", fill: strong }),
      bars.length <= 16 ? Plot.text(bars, { x: "visit", y: "warps", text: (bar: { warps: number }) => short(bar.warps), dy: -7, fontSize: 10 }) : null,
      Plot.ruleY([0], { stroke: ink })],
  });
  return figure(chart, label, "Warps that diverge, by visit" +
    (branch.divergent_by_visit.length > most_bars ? ` (the first ${most_bars} of ${branch.divergent_by_visit.length})` : ""));
}

/** How many requests took how many units. */
export function histogramChart(access: Access): HTMLElement {
  const bars = Object.entries(access.histogram).map(([units, requests]) => ({ units: Number(units), requests }));
  const unit = access.space === "shared" ? "wavefronts" : access.space === "constant" ? "words" : "sectors";
  const chart = Plot.plot({
    width: Math.min(440, 90 + bars.length * 40), height: 110, marginTop: 16, marginLeft: 50, marginBottom: 28, style,
    x: { label: `${unit} of a request`, type: "band", padding: 0.2 },
    y: { label: null, ticks: 3, grid: true, tickFormat: (value: number) => short(value) },
    marks: [Plot.barY(bars, { x: "units", y: "requests", fill: strong }), Plot.ruleY([0], { stroke: ink })],
  });
  return figure(chart, `Requests by ${unit}: ${bars.map((bar) => `${number(bar.requests)} with ${bar.units}`).join(", ")}`,
    `Requests by ${unit}`);
}

/** Resident warps against the size of a block. */
export function occupancyChart(item: Item, gpu: Gpu): HTMLElement {
  const { now, table } = item.more.occupancy;
  const share = (one: Occupancy): number => (100 * one.warps) / gpu.warps;
  const reason = now.blocks ? `limited by ${now.limiter}` : "such a block cannot run";
  const chart = Plot.plot({
    width: 440, height: 170, marginLeft: 40, marginRight: 56, marginTop: 20, marginBottom: 32, style,
    x: { label: "threads of a block", domain: [0, 1024], ticks: [32, 128, 256, 512, 768, 1024], tickFormat: "d" },
    y: { label: null, domain: [0, 100], ticks: [0, 25, 50, 75, 100], grid: true, tickFormat: (value: number) => `${value} %` },
    marks: [Plot.areaY(table, { x: "threads", y: share, curve: "step", fill: strong, fillOpacity: 0.12 }),
      Plot.lineY(table, { x: "threads", y: share, curve: "step", stroke: strong, strokeWidth: 1.5 }),
      Plot.ruleX([now], { x: "threads", stroke: ink, strokeDasharray: "2 3", y1: 0, y2: share }),
      Plot.dot([now], { x: "threads", y: share, fill: strong, stroke: "var(--paper)", r: 5 }),
      Plot.text([now], { x: "threads", y: share, text: () => `${share(now).toFixed(0)} %`, dy: -12, fontWeight: "bold", fill: ink, stroke: "var(--paper)", strokeWidth: 4 }),
      Plot.ruleY([0], { stroke: ink })],
  });
  const sentence = `${now.warps} of ${gpu.warps} warps are resident on an SM of ${gpu.name} in ${plural(now.blocks, "block")} of ${now.threads} threads: ${reason}`;
  const allowed = Object.entries(now.limits).map(([what, limit]) => h("tr", what === now.limiter ? { class: "limit" } : {},
    h("th", { scope: "row" }, what), h("td", {}, limit === null ? "no limit" : plural(limit, "block"))));
  return h("div", { class: "side" }, figure(chart, `Occupancy against block size. ${sentence}.`, `${sentence}.`),
    h("table", { class: "limits" }, h("caption", {}, "What would fit"), h("tbody", {}, ...allowed)));
}

interface Point {
  item: Item;
  operations: number;
  moved: number; // bytes in the sectors that are moved
  asked: number; // bytes in the sectors that would do
  memory: number; // bytes that memory gives and takes; 0: the caches are not modelled
  peak: number;
}

function pointOf(item: Item, gpu: Gpu): Point {
  const m = item.kernel.metrics;
  const fp32 = metric(m, "fp32_operations"), fp64 = metric(m, "fp64_operations");
  const sector = 32;
  const of = (access: "load" | "store", what: string): number => metric(m, `global_${access}_${what}`);
  const atomic = metric(m, "global_atomic_sectors");
  return {
    item,
    operations: fp32 + fp64,
    moved: sector * (of("load", "sectors") + of("store", "sectors") + atomic),
    asked: sector * (of("load", "ideal_sectors") + of("store", "ideal_sectors") + atomic),
    memory: metric(m, "dram_read_bytes") + metric(m, "dram_write_bytes"),
    peak: fp32 + fp64 ? (fp32 + fp64) / (fp32 / gpu.fp32_per_second + fp64 / gpu.fp64_per_second) : gpu.fp32_per_second,
  };
}

/** The least time that the GPU's peaks permit, in nanoseconds. */
function bound(point: Point, gpu: Gpu): { memory: number; arithmetic: number } {
  return { memory: (1e9 * point.moved) / gpu.bytes_per_second, arithmetic: point.operations ? (1e9 * point.operations) / point.peak : 0 };
}

/** In operations a second, what the roof permits at an intensity. */
const roof = (intensity: number, peak: number, gpu: Gpu): number => Math.min(peak, intensity * gpu.bytes_per_second);

export function boundText(item: Item, gpu: Gpu): string {
  const point = pointOf(item, gpu), { memory, arithmetic } = bound(point, gpu);
  if (!memory && !arithmetic) return "It moves nothing and has no floating-point operations.";
  const by = memory >= arithmetic ? "the memory's bandwidth" : "floating-point arithmetic";
  return `${gpu.name} could not do it faster than in ${time(Math.max(memory, arithmetic) / item.kernel.launches)} a launch, for ${by}: ` +
    `${point.operations ? `${short(point.operations)} floating-point operations` : "no floating-point operations (so it has no place on a roofline)"}, ${bytes(point.moved)} moved` +
    (point.asked < point.moved ? `, where ${bytes(point.asked)} would do` : "") +
    (point.memory ? `; with its caches, ${bytes(point.memory)} come from memory or go there (a model).` : ".");
}

export function rooflineChart(items: Item[], gpu: Gpu, names: boolean): HTMLElement | null {
  const points = items.filter((item) => item.kernel.counted).map((item) => pointOf(item, gpu)).filter((p) => p.operations && p.moved);
  if (!points.length) return null;
  const intensity = (p: Point): number => p.operations / p.moved, better = (p: Point): number => p.operations / p.asked;
  const fromMemory = (p: Point): number => p.operations / p.memory, modelled = points.filter((p) => p.memory);
  const double = points.some((p) => p.peak < gpu.fp32_per_second);
  const ridge = gpu.fp32_per_second / gpu.bytes_per_second;
  const low = Math.min(0.05, ...points.map(intensity)) / 2, high = Math.max(ridge * 8, ...points.map(better), ...modelled.map(fromMemory)) * 2;
  const line = (peak: number): { x: number; y: number }[] =>
    [low, peak / gpu.bytes_per_second, high].map((x) => ({ x, y: roof(x, peak, gpu) }));
  const helped = points.filter((p) => p.asked > 0 && better(p) > intensity(p) * 1.05);
  // Powers of ten, and no more of them than there is room for.
  const powers = (from: number, to: number): number[] => {
    const all: number[] = [], step = Math.ceil((Math.log10(to) - Math.log10(from)) / 6);
    for (let one = Math.ceil(Math.log10(from)); one <= Math.log10(to); one += step) all.push(10 ** one);
    return all;
  };
  // Kernels that lie on one another share a label.
  const labels: { x: number; y: number; text: string }[] = [];
  for (const p of [...points].sort((a, b) => intensity(a) - intensity(b))) {
    const x = intensity(p), y = roof(x, p.peak, gpu), last = labels[labels.length - 1];
    if (last && Math.log10(x / last.x) < 0.2 && Math.abs(Math.log10(y / last.y)) < 0.3) last.text += `, ${p.item.short}`;
    else labels.push({ x, y, text: p.item.short });
  }
  const floor = roof(low, gpu.fp32_per_second, gpu) / 2;
  const chart = Plot.plot({
    width: names ? 620 : 440, height: names ? 260 : 210, marginLeft: 52, marginRight: 24, marginBottom: 34, marginTop: 22, style,
    x: { type: "log", domain: [low, high], label: "floating-point operations for each byte", grid: true, ticks: powers(low, high), tickFormat: "~g" },
    y: { type: "log", domain: [floor, gpu.fp32_per_second * 3], label: "operations a second", grid: true, ticks: powers(floor, gpu.fp32_per_second * 3), tickFormat: (value: number) => short(value) },
    marks: [
      Plot.line(line(gpu.fp32_per_second), { x: "x", y: "y", stroke: ink, strokeWidth: 1.5 }),
      Plot.text([{ x: high, y: gpu.fp32_per_second }], { x: "x", y: "y", text: () => `fp32 ${short(gpu.fp32_per_second)}FLOP/s`, textAnchor: "end", dy: -8 }),
      ...(double ? [Plot.line(line(gpu.fp64_per_second), { x: "x", y: "y", stroke: ink, strokeOpacity: 0.5 }),
        Plot.text([{ x: high, y: gpu.fp64_per_second }], { x: "x", y: "y", text: () => `fp64 ${short(gpu.fp64_per_second)}FLOP/s`, textAnchor: "end", dy: -8 })] : []),
      Plot.text([{ x: ridge / 3, y: roof(ridge / 3, gpu.fp32_per_second, gpu) }],
        { x: "x", y: "y", text: () => `memory ${short(gpu.bytes_per_second)}B/s`, textAnchor: "end", dy: -8, dx: -4 }),
      Plot.link(points, { x1: intensity, x2: intensity, y1: () => floor, y2: (p: Point) => roof(intensity(p), p.peak, gpu), stroke: faint, strokeDasharray: "2 3" }),
      Plot.arrow(helped, { x1: intensity, y1: (p: Point) => roof(intensity(p), p.peak, gpu), x2: better, y2: (p: Point) => roof(better(p), p.peak, gpu), stroke: second, headLength: 6, insetStart: 6, insetEnd: 5 }),
      Plot.dot(helped, { x: better, y: (p: Point) => roof(better(p), p.peak, gpu), stroke: second, fill: "var(--paper)", r: 4 }),
      Plot.dot(points, { x: intensity, y: (p: Point) => roof(intensity(p), p.peak, gpu), fill: strong, stroke: "var(--paper)", r: 5 }),
      Plot.link(modelled, { x1: intensity, y1: (p: Point) => roof(intensity(p), p.peak, gpu), x2: fromMemory, y2: (p: Point) => roof(fromMemory(p), p.peak, gpu), stroke: strong, strokeOpacity: 0.5 }),
      Plot.dot(modelled, { x: fromMemory, y: (p: Point) => roof(fromMemory(p), p.peak, gpu), symbol: "diamond", stroke: strong, fill: "var(--paper)", r: 5 }),
      names ? Plot.text(labels, { x: "x", y: "y", text: "text", textAnchor: "start", dx: 9, dy: 7, fill: ink, stroke: "var(--paper)", strokeWidth: 3 }) : null,
    ],
  });
  const label = `Roofline of ${gpu.name}. ` + points.map((p) => `${p.item.short}: ${intensity(p).toPrecision(3)} operations a byte` +
    (p.memory ? `, ${fromMemory(p).toPrecision(3)} a byte of memory's` : "")).join("; ");
  return figure(chart, label, `Where the roof of ${gpu.name} is over each kernel, for the bytes of all sectors that pass between the SMs and the caches.` +
    (helped.length ? " Hollow: with as few sectors as would do." : "") +
    (modelled.length ? " Diamonds: for the bytes that memory gives and takes, with a model of the caches." : ""));
}
