// Plays the golden games in Pyodide under node: node golden.mjs SITE [NAMES], SITE the folder of esper and sortedcontainers.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";

const HOUSE = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const [SITE, ...NAMES] = process.argv.slice(2);
const python = await loadPyodide();
for (const [at, folder] of [["/house", HOUSE], ["/site", SITE]]) {
  python.FS.mkdir(at);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, at);
}
python.globals.set("names", python.toPy(NAMES));
process.exitCode = python.runPython(`
import os, sys
os.environ["ECS_COLLISION_PURE"] = "1"
sys.dont_write_bytecode = True
sys.modules["numpy"] = None
sys.path[:0] = ["/house/tests/support", "/house/tests", "/house"]
sys.path.append("/site")
sys.argv = ["record_golden.py", "--check", *names]
import record_golden
print(sys.platform, "with", sys.maxsize.bit_length() + 1, "bits")
record_golden.main()
`);
