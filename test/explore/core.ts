import { build } from 'esbuild'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export interface Core {
  readonly createGuard: typeof import('../../packages/core/src/retries/guard.ts').createGuard
  readonly memoryLedger: typeof import('../../packages/core/src/retries/memory-ledger.ts').memoryLedger
  readonly storesClicks: typeof import('../../packages/core/src/retries/click.ts').storesClicks
  readonly StoreTimeout: typeof import('../../packages/core/src/contract/errors.ts').StoreTimeout
  readonly StoreError: typeof import('../../packages/core/src/contract/errors.ts').StoreError
}
export type Guard = ReturnType<Core['createGuard']>
export type Mutation = Parameters<Guard>[0]
export type Ledger = import('../../packages/core/src/retries/ledger.ts').Ledger
export type StoredClicks = import('../../packages/core/src/retries/ledger.ts').StoredClicks
export type Runtime = import('../../packages/core/src/retries/runtime.ts').Runtime

/** A string replacement in a source file of the core package. */
export interface Edit {
  readonly file: 'protocol.ts' | 'attempt.ts' | 'guard.ts' | 'pending-click.ts'
  readonly from: string
  readonly to: string
}

const sources = fileURLToPath(new URL('../../packages/core/src/', import.meta.url))
const entry = `
export { createGuard } from './retries/guard.ts'
export { memoryLedger } from './retries/memory-ledger.ts'
export { storesClicks } from './retries/click.ts'
export { StoreError, StoreTimeout } from './contract/errors.ts'`

/** Bundles and imports the core sources with edits. Throws if a `from` string does not occur exactly once. */
export async function loadCore(edits: readonly Edit[] = []): Promise<Core> {
  const folder = await mkdtemp(join(tmpdir(), 'explore-'))
  try {
    const { outputFiles } = await build({
      stdin: { contents: entry, resolveDir: sources, loader: 'ts' },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      target: 'es2022',
      plugins: edits.length === 0 ? [] : [editSources(edits)],
    })
    const file = join(folder, 'core.mjs')
    await writeFile(file, outputFiles[0]?.contents ?? '')
    const core: Core = await import(/* @vite-ignore */ pathToFileURL(file).href)
    return core
  } finally {
    await rm(folder, { recursive: true })
  }
}

function editSources(edits: readonly Edit[]): import('esbuild').Plugin {
  return {
    name: 'edit-sources',
    setup: ({ onLoad, onEnd }) => {
      const applied = new Set<Edit>()
      onLoad({ filter: /retries\/[^/]+\.ts$/ }, async ({ path }) => {
        const { readFile } = await import('node:fs/promises')
        let contents = await readFile(path, 'utf8')
        for (const edit of edits.filter((each) => each.file === basename(path))) {
          const { file, from, to } = edit
          if (contents.split(from).length !== 2)
            throw new Error(`${file} must contain this string exactly once: ${from}`)
          contents = contents.replace(from, () => to)
          applied.add(edit)
        }
        return { contents, loader: 'ts' }
      })
      onEnd(() => {
        const missed = edits.find((edit) => !applied.has(edit))
        if (missed !== undefined) throw new Error(`File ${missed.file} not found in retries.`)
      })
    },
  }
}
