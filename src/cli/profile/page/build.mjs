// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the page: index.html with the styles, the bundled code and the licences of the packages in it.
//
//   node build.mjs PACKAGES OUTPUT      PACKAGES: a folder with node_modules (fetch.sh)
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [packages, output] = process.argv.slice(2);
const modules = join(packages, "node_modules");
const { build } = createRequire(join(packages, "package.json"))("esbuild");

const result = await build({
  entryPoints: [join(here, "main.ts"), join(here, "style.css")],
  outdir: "out",
  absWorkingDir: here,
  nodePaths: [modules],
  bundle: true,
  minify: true,
  format: "iife",
  target: ["chrome111", "firefox113", "safari16.4"],
  charset: "utf8",
  legalComments: "inline",
  metafile: true,
  write: false,
});

// The packages of which anything is in the bundle, with their licences' texts.
function notices(metafile) {
  const names = new Set();
  for (const [, out] of Object.entries(metafile.outputs))
    for (const [input, { bytesInOutput }] of Object.entries(out.inputs)) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
      if (name && bytesInOutput) names.add(name);
    }
  return [...names].sort().map((name) => {
    const folder = join(modules, name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    if (!file) throw new Error(`${name} has no licence file`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}`;
  });
}

const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
const text = (ending) => result.outputFiles.find((file) => file.path.endsWith(ending)).text.trim();
const parts = {
  "@STYLE@": text(".css"),
  "@SCRIPT@": text(".js").replace(/<\/script/g, "<\\/script"),
  "@LICENCES@": escape(notices(result.metafile).join("\n\n— — —\n\n")),
};
const page = readFileSync(join(here, "index.html"), "utf8");
writeFileSync(output, page.replace(/@(STYLE|SCRIPT|LICENCES)@/g, (name) => parts[name]));
