/** As much of Node's `process` as is used here; other runtimes have none. */
interface Process {
  getBuiltinModule?(id: 'node:crypto'): { hash?(algorithm: 'sha256', text: string): string } | undefined
}

/** Node's `crypto.hash`, reached without an import so that runtimes without `node:crypto` can load this file. */
const hash = nodeHash()

function nodeHash() {
  try {
    const { process }: { readonly process?: Process } = Object(globalThis)
    return process?.getBuiltinModule?.('node:crypto')?.hash
  } catch {
    // Next's Edge Runtime has the function, and throws when it is called.
    return undefined
  }
}

/** SHA-256 of a text as lower-case hex digits; a promise only where the runtime hashes asynchronously. */
export function sha256(text: string): string | Promise<string> {
  return hash ? hash('sha256', text) : sha256BySubtle(text)
}

async function sha256BySubtle(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
