// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the command puts into the page: heddle profile's JSON (docs/profile.md), and what follows from it
// (page.cpp).

export interface Place {
  function: string;
  file: string;
  line: number;
  column: number;
}

export interface Branch {
  place: Place;
  visits: number;
  threads: number;
  divergent: number;
  warps_diverging: number;
  divergent_by_visit: number[];
}

export type Space = "global" | "shared" | "local" | "constant" | "texture" | "surface";

/** One of the requests with most units. */
export interface Sample {
  units: number;
  offsets: (number | null)[];
}

export interface Access {
  place: Place;
  kind: "load" | "store" | "atomic";
  space: Space;
  bytes: number;
  variable: string;
  requests: number;
  threads: number;
  units: number;
  ideal: number;
  unaligned: number;
  same_address: number;
  broadcasts: number;
  lines: number;
  texel_bytes: number;
  // In sectors; 0 where caches are not modelled.
  l1_sectors: number;
  l1_hits: number;
  l2_sectors: number;
  l2_hits: number;
  dram_sectors: number;
  histogram: Record<string, number>;
  sample: Sample;
}

/** Launches by the same Python code; its calls, the innermost first. */
export interface Launcher {
  calls: Place[];
  launches: number;
  nanoseconds: number;
}

export type Metrics = Record<string, number>;

export interface Kernel {
  name: string;
  launches: number;
  grid: number[];
  block: number[];
  same_shape: boolean;
  registers: number;
  static_shared: number;
  dynamic_shared: number;
  nanoseconds: number;
  warps: number;
  threads: number;
  warps_diverged: number;
  counted: boolean;
  launchers: Launcher[];
  branches: Branch[];
  accesses: Access[];
  metrics: Metrics;
}

export interface Event {
  kind: "api" | "kernel" | "copy" | "fill" | "host" | "range" | "started_range" | "mark" | string;
  name: string;
  begin: number;
  end: number;
  track: number;
  call: number;
  device?: number;
  bytes?: number;
  pageable?: boolean;
  grid?: number[];
  block?: number[];
  domain?: string;
  category?: string;
  payload?: string;
  level?: number;
}

/** What the program calls a thread or a stream. */
export interface TrackName {
  kind: "thread" | "stream";
  track: number;
  name: string;
}

export interface Advice {
  file: string;
  line: number;
  text: string;
  remedy: string;
  cost: number;
}

export interface Occupancy {
  threads: number;
  blocks: number;
  warps: number;
  limiter: string;
  limits: Record<string, number | null>;
}

export interface Line {
  file: string;
  line: number;
  metrics: Metrics;
}

export interface KernelMore {
  cost: number;
  advice: Advice[];
  lines: Line[];
  occupancy: { now: Occupancy; table: Occupancy[] };
}

export interface Row {
  name: string;
  count: number;
  total: number;
  bytes: number;
  percent: number;
  average: number;
  least: number;
  most: number;
}

export interface Gpu {
  id: string;
  name: string;
  architecture: string;
  multiprocessors: number;
  clock_khz: number;
  fp32_per_second: number;
  fp64_per_second: number;
  bytes_per_second: number;
  warps: number;
  blocks: number;
}

export interface Data {
  program: string;
  profile: { version: number; gpu: string; complete: boolean; kernels: Kernel[]; events: Event[]; names?: TrackName[]; events_left_out: number };
  gpu: Gpu;
  kernels: KernelMore[];
  metrics: { name: string; nsight: string; unit: string; what: string }[];
  calls: Row[];
  memory: Row[];
  sources: Record<string, string>;
}

/** A kernel with all that is known of it, in the order of cost. */
export interface Item {
  kernel: Kernel;
  more: KernelMore;
  short: string; // its name without parameters
}

export const metric = (metrics: Metrics, name: string): number => metrics[name] ?? 0;

export function readData(): Data {
  const element = document.getElementById("profile");
  return JSON.parse(element?.textContent ?? "") as Data;
}

/** `void ns::kernel<4>(float*, int)` → `ns::kernel<4>` */
export function shortName(name: string): string {
  let depth = 0;
  const text = name.replace(/^void /, "");
  for (let i = 0; i < text.length; ++i) {
    const letter = text[i];
    if (letter === "<") ++depth;
    else if (letter === ">") --depth;
    else if (letter === "(" && depth === 0 && !text.startsWith("(anonymous namespace)", i)) return text.slice(0, i);
  }
  return text;
}

export function itemsOf(data: Data): Item[] {
  return data.profile.kernels
    .map((kernel, i) => ({ kernel, more: data.kernels[i] as KernelMore, short: shortName(kernel.name) }))
    .sort((a, b) => b.more.cost - a.more.cost);
}

/** What a line costs: instructions by warps, and what its accesses pass through the memory system. */
export function costsOf(item: Item): Map<string, number> {
  const costs = new Map<string, number>();
  const add = (file: string, line: number, cost: number): void => {
    const key = `${file}:${line}`;
    costs.set(key, (costs.get(key) ?? 0) + cost);
  };
  for (const line of item.more.lines) add(line.file, line.line, metric(line.metrics, "warp_instructions"));
  for (const access of item.kernel.accesses) add(access.place.file, access.place.line, access.units);
  return costs;
}
