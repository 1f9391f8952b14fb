/** Runs Python away from the page, so that a long search or a script that never ends does not stop it. */

interface Pyodide {
  unpackArchive(data: ArrayBuffer, format: string): void;
  runPython(code: string): unknown;
  globals: { get(name: string): (name: string, given: string) => string };
}

const started = performance.now();

async function fetched(name: string): Promise<Response> {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name} cannot be loaded (${response.status})`);
  return response;
}

async function start(): Promise<(name: string, given: string) => string> {
  const at = new URL("pyodide/pyodide.mjs", location.href).href;
  const [{ loadPyodide }, names, program] = await Promise.all([
    import(at) as Promise<{ loadPyodide(): Promise<Pyodide> }>,
    fetched("wheels.json").then((response) => response.json() as Promise<string[]>),
    fetched("playground.py").then((response) => response.text()),
  ]);
  const wheels = names.map((name) => fetched(name).then((response) => response.arrayBuffer()));
  const python = await loadPyodide();
  const pyodide = performance.now() - started;
  for (const wheel of wheels) python.unpackArchive(await wheel, "wheel");
  python.runPython(program);
  postMessage({ id: 0, times: { pyodide, all: performance.now() - started } });
  return python.globals.get("answer");
}

const ready = start();
ready.catch((problem: Error) => postMessage({ id: 0, problem: problem.message }));

addEventListener("message", async ({ data }: MessageEvent<{ id: number; name: string; given: unknown[] }>) => {
  const answer = await ready;
  postMessage({ id: data.id, text: answer(data.name, JSON.stringify(data.given)) });
});
