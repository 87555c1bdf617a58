// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page of heddle profile --html: summary, kernels by cost, one kernel at a time, timeline.
import { boundText, occupancyChart, rooflineChart } from "./charts.js";
import { Data, Item, Kernel, Row, itemsOf, metric, readData } from "./data.js";
import { bytes, fileName, h, number, percent, plural, short, size, table, time } from "./dom.js";
import { SourceView } from "./source.js";
import { timeline } from "./timeline.js";

const data: Data = readData();
const items: Item[] = itemsOf(data);
const total = items.reduce((sum, item) => sum + item.more.cost, 0);

function header(): HTMLElement {
  const { complete, kernels } = data.profile;
  const launches = kernels.reduce((sum, kernel) => sum + kernel.launches, 0);
  return h("header", {},
    h("h1", {}, fileName(data.program)),
    h("p", { class: "facts" }, `${plural(kernels.length, "kernel")}, ${number(launches)} ${launches === 1 ? "launch" : "launches"} · what ${data.gpu.name} would do · counted by Heddle`),
    !complete && h("p", { class: "warning", role: "alert" }, "The program did not come to its end: this is what was counted until then."));
}

function fact(name: string, value: string, note: string, bad = false): HTMLElement {
  return h("div", { class: "fact" }, h("dt", {}, name), h("dd", { class: bad ? "bad" : "" }, value, h("small", {}, note)));
}

function facts(item: Item): HTMLElement {
  const m = item.kernel.metrics, of = (name: string): number => metric(m, name);
  const sectors = of("global_load_sectors") + of("global_store_sectors");
  const ideal = of("global_load_ideal_sectors") + of("global_store_ideal_sectors");
  const { now } = item.more.occupancy;
  return h("dl", { class: "numbers" },
    fact("Warps", number(of("warps_launched")), `${number(of("diverging_warps"))} diverge`),
    fact("Warp instructions", short(of("warp_instructions")), number(of("warp_instructions"))),
    fact("Active lanes", number(of("active_lanes")), "of 32", of("active_lanes") < 24),
    fact("Divergent branches", number(of("divergent_branches")), `of ${number(of("branches"))}`, of("divergent_branches") > of("branches") / 10),
    fact("Global sectors", short(sectors), sectors > ideal ? `${short(ideal)} would do` : "as few as would do", sectors > 1.2 * ideal),
    fact("Bank conflicts", short(of("bank_conflicts")), "wavefronts too many", of("bank_conflicts") > 0),
    fact("Occupancy", percent(now.warps, data.gpu.warps), `limited by ${now.limiter}`, 2 * now.warps < data.gpu.warps));
}

function adviceList(item: Item, choose: (file: string, line: number) => void): HTMLElement {
  if (!item.more.advice.length) return h("p", { class: "note" }, "Nothing stands out.");
  return h("ol", { class: "findings" }, ...item.more.advice.map((one) => h("li", {},
    one.line ? h("button", { type: "button", class: "place", onclick: () => choose(one.file, one.line) }, `${fileName(one.file)}:${one.line}`) : null,
    h("span", {}, ` ${one.text}.`), h("span", { class: "remedy" }, ` ${one.remedy}.`))));
}

/** Where Python code has launched it. */
function launcherList(kernel: Kernel): HTMLElement | null {
  if (!kernel.launchers.length) return null;
  return h("ul", { class: "launchers" }, ...kernel.launchers.slice(0, 20).map((one) => h("li", {},
    `launched in ${one.calls.map((call) => `${call.function} at ${fileName(call.file)}:${call.line}`).join(", called from ")}: ` +
    `${number(one.launches)} ${one.launches === 1 ? "launch" : "launches"}, ${time(one.nanoseconds)}`)));
}

/** In a notebook's frame (srcdoc) the page has no address of its own, and # would lead to the notebook's. */
const framed = location.protocol === "about:";

function kernelView(item: Item): HTMLElement {
  const { kernel } = item;
  const shape = h("p", { class: "facts" }, `${kernel.launches} ${kernel.launches === 1 ? "launch" : "launches"} · grid ${size(kernel.grid)} · block ${size(kernel.block)}` +
    `${kernel.same_shape ? "" : " (the first; others differ)"} · ${kernel.registers} registers a thread · ${bytes(kernel.static_shared + kernel.dynamic_shared)} shared · ` +
    `${time(kernel.nanoseconds)} on this CPU while counting`);
  const title = h("h2", { id: "kernel", tabindex: "-1", title: kernel.name }, item.short);
  if (!kernel.counted)
    return h("section", { class: "kernel" }, title, shape, launcherList(kernel), h("p", { class: "note" }, "It ran on the reference engine, thread by thread: nothing is counted."));
  const below = h("div", { class: "pair" },
    h("section", {}, h("h3", {}, "Occupancy"), occupancyChart(item, data.gpu)),
    h("section", {}, h("h3", {}, "Roofline"), rooflineChart([item], data.gpu, false), h("p", { class: "note" }, boundText(item, data.gpu))));
  const source = new SourceView(item, data, below, (line) => {
    if (!framed) history.replaceState(null, "", `#${items.indexOf(item)}:${line.line}`);
  });
  const all = h("details", { class: "counters" }, h("summary", {}, "All metrics"), h("table", {}, h("caption", {}, "docs/metrics.md defines each"),
    h("tbody", {}, ...data.metrics.map((one) => h("tr", {}, h("th", { scope: "row", title: one.nsight }, one.name),
      h("td", { "data-metric": one.name }, `${number(metric(kernel.metrics, one.name))}${one.unit === "%" ? " %" : ""}`), h("td", { class: "what" }, one.what))))));
  return h("section", { class: "kernel", "aria-labelledby": "kernel" }, title,
    item.short !== kernel.name && h("p", { class: "signature" }, kernel.name), shape, launcherList(kernel), facts(item),
    h("h3", {}, "What costs most"), adviceList(item, (file, line) => source.chooseLine(file, line)),
    h("h3", {}, "Source"), source.element,
    all);
}

function rowsTable(caption: string, rows: Row[], with_bytes: boolean): HTMLElement | null {
  if (!rows.length) return null;
  return table(["Name", "Calls", "Total", "Share", "Mean", "Least", "Most", ...(with_bytes ? ["Bytes"] : [])],
    rows.map((row) => [row.name, number(row.count), time(row.total), `${row.percent.toFixed(1)} %`, time(row.average), time(row.least), time(row.most),
      ...(with_bytes ? [bytes(row.bytes)] : [])]), caption);
}

const main = h("main");
const links: HTMLAnchorElement[] = items.map((item, i) => {
  const worst = item.more.advice[0];
  return h("a", { href: `#${i}`, title: item.kernel.name, onclick: (event) => go(i, event) },
    h("span", { class: "name" }, item.short), h("span", { class: "cost" }, percent(item.more.cost, total)),
    h("span", { class: "bar", style: `--share:${total ? (100 * item.more.cost) / total : 0}%`, "aria-hidden": "true" }),
    h("span", { class: "why" }, worst ? worst.text.split(/[;:]/)[0] ?? "" : item.kernel.counted ? "nothing stands out" : "not counted"));
});

function select(index: number, line?: number): void {
  links.forEach((link, i) => (i === index ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current")));
  const item = items[index];
  if (!item) return;
  main.replaceChildren(kernelView(item));
  if (line !== undefined) main.querySelector<HTMLElement>(`tr[data-line="${line}"]`)?.click();
}

/** To a kernel, by the address where there is one. */
function go(index: number, event?: Event): void {
  if (!framed) {
    if (!event) location.hash = `#${index}`; // else it is the link's own way
    return;
  }
  event?.preventDefault();
  if (index !== current()) select(index);
}

const current = (): number => links.findIndex((link) => link.hasAttribute("aria-current"));

/** "#2:17": the third kernel, line 17. */
function follow(): void {
  const [, kernel, line] = /^#(\d+)(?::(\d+))?$/.exec(location.hash) ?? [];
  const index = Math.min(Number(kernel ?? 0), items.length - 1);
  if (index !== current()) select(index, line === undefined ? undefined : Number(line));
}

function footer(): HTMLElement {
  const licences = document.getElementById("licences") as HTMLTemplateElement | null;
  return h("footer", {}, h("p", {}, "Counts are exact, and the same on every run; times are this computer's. ",
    h("kbd", {}, "j"), " ", h("kbd", {}, "k"), " next and previous kernel, ", h("kbd", {}, "↑"), " ", h("kbd", {}, "↓"), " lines."),
    h("details", {}, h("summary", {}, "Licences of what this page is made with"), h("pre", {}, licences?.content.textContent ?? "")));
}

function start(): void {
  document.title = `${fileName(data.program)} – heddle profile`;
  const roof = items.length > 1 ? rooflineChart(items, data.gpu, true) : null;
  const nav = h("nav", { "aria-label": "Kernels, by cost" }, h("h2", {}, "Kernels by cost"), ...links,
    !items.length && h("p", { class: "note" }, "The program has launched no kernel."));
  const overview = h("section", { id: "overview" }, roof && h("section", {}, h("h2", {}, "Roofline of all kernels"), roof), timeline(data),
    h("div", { class: "tables" }, rowsTable("API calls", data.calls, false), rowsTable("Memory operations", data.memory, true)));
  document.getElementById("page")?.replaceChildren(header(), h("div", { class: "frame" }, nav, h("div", { class: "body" }, main, overview)), footer());
  addEventListener("hashchange", follow);
  addEventListener("keydown", (event) => {
    const by = { j: 1, k: -1 }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLSelectElement) return;
    const next = Math.min(Math.max(current() + by, 0), items.length - 1);
    go(next);
    links[next]?.focus();
  });
  follow();
}

start();
