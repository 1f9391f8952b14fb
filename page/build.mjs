// Bundles src/ with three.js into ecs_collision/debug/page/, beside the template of the page and the licence of three.js.
// The first line of the bundle has a hash of everything it is made from; tests/debug/test_page.py computes the same.
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const OUT = join(HERE, "..", "ecs_collision", "debug", "page");

const sources = [
  ...["build.mjs", "package-lock.json", "package.json", "tsconfig.json"],
  ...readdirSync(join(HERE, "src")).sort().map((name) => `src/${name}`),
];
const hash = createHash("sha256");
for (const name of sources) {
  hash.update(`${name}\0`);
  hash.update(readFileSync(join(HERE, name)));
}

await build({
  entryPoints: [join(HERE, "src", "main.ts")],
  outfile: join(OUT, "replay.js"),
  bundle: true,
  minify: true,
  charset: "ascii",
  target: "es2022",
  format: "iife",
  legalComments: "none",
  banner: {
    js: `// Made by "make page" from page/, sources ${hash.digest("hex")}. Contains three.js, see LICENSE.three.txt.`,
  },
  logLevel: "info",
});
copyFileSync(join(HERE, "node_modules", "three", "LICENSE"), join(OUT, "LICENSE.three.txt"));
