// Builds the playground: node build.mjs OUT WHEELS. Static files only, Pyodide and the wheels among them.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const [OUT, WHEELS] = process.argv.slice(2);
const PYODIDE = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip"];

rmSync(OUT, { recursive: true, force: true });
mkdirSync(join(OUT, "pyodide"), { recursive: true });
await build({
  entryPoints: [join(HERE, "main.ts"), join(HERE, "worker.ts")],
  outdir: OUT,
  bundle: true,
  minify: true,
  target: "es2022",
  format: "esm",
  legalComments: "none",
  logLevel: "warning",
});
for (const name of PYODIDE) copyFileSync(join(HERE, "node_modules", "pyodide", name), join(OUT, "pyodide", name));
const wheels = readdirSync(WHEELS).filter((name) => name.endsWith(".whl"));
for (const name of wheels) copyFileSync(join(WHEELS, name), join(OUT, name));
writeFileSync(join(OUT, "wheels.json"), JSON.stringify(wheels));
copyFileSync(join(HERE, "playground.py"), join(OUT, "playground.py"));
// The colours are those of the replay page.
const template = readFileSync(join(HERE, "..", "..", "ecs_collision", "debug", "page", "template.html"), "utf-8");
const colours = template.match(/:root\S* \{[^}]*\}/g).join("\n");
writeFileSync(join(OUT, "index.html"), readFileSync(join(HERE, "index.html"), "utf-8").replace("/* colours */", () => colours));
