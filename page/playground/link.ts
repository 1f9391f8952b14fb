/** The level and its script in the address: deflated JSON after the #, so that no server sees it. */

export interface Source {
  level: string;
  script: string;
}

export async function hashOf(source: Source): Promise<string> {
  const data = await through(new TextEncoder().encode(JSON.stringify(source)), new CompressionStream("deflate-raw"));
  const text = btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join(""));
  return `#level=${text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** Return the level in a hash, null if it has none or a damaged one. */
export async function sourceIn(hash: string): Promise<Source | null> {
  const found = /^#level=([\w-]+)$/.exec(hash);
  if (!found) return null;
  try {
    const text = atob(found[1].replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const data = await through(bytes, new DecompressionStream("deflate-raw"));
    const { level, script } = JSON.parse(new TextDecoder().decode(data)) as Source;
    return { level: String(level), script: String(script) };
  } catch {
    return null;
  }
}

async function through(data: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const result = new Blob([data as BlobPart]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, BufferSource>);
  return new Uint8Array(await new Response(result as ReadableStream).arrayBuffer());
}
