import type { Terminal } from '../../src/cli/terminal.ts'

/** A terminal that keeps what is written to it. */
export function recordedTerminal(isWatched = false): Terminal & { readonly written: { out: string; err: string } } {
  const written = { out: '', err: '' }
  return {
    written,
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    outHasColors: false,
    errHasColors: false,
    isWatched,
    columns: () => 100,
  }
}
