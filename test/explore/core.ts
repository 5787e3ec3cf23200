import { build } from 'esbuild'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
export type Ledger = import('../../packages/core/src/contract/ledger.ts').Ledger
export type StoredClicks = import('../../packages/core/src/contract/ledger.ts').StoredClicks
export type Runtime = import('../../packages/core/src/retries/runtime.ts').Runtime

/** A string replacement in the click protocol of the core package. */
export interface Edit {
  readonly from: string
  readonly to: string
}

const sources = fileURLToPath(new URL('../../packages/core/src/', import.meta.url))
const entry = `
export { createGuard } from './retries/guard.ts'
export { memoryLedger } from './retries/memory-ledger.ts'
export { storesClicks } from './retries/click.ts'
export { StoreError, StoreTimeout } from './contract/errors.ts'`

/**
 * Bundles and imports the core sources with edits. Throws unless each `from` string occurs exactly once in the sources.
 */
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
      const counts = new Map(edits.map((edit) => [edit, 0]))
      onLoad({ filter: /retries\/[^/]+\.ts$/ }, async ({ path }) => {
        let contents = await readFile(path, 'utf8')
        for (const [edit, count] of counts) {
          counts.set(edit, count + contents.split(edit.from).length - 1)
          contents = contents.replace(edit.from, () => edit.to)
        }
        return { contents, loader: 'ts' }
      })
      onEnd(() => {
        for (const [{ from }, count] of counts)
          if (count !== 1) throw new Error(`The sources must contain this string exactly once: ${from}`)
      })
    },
  }
}
