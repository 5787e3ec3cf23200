import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** A page that was built for a test. */
export interface BuiltPage {
  /** Where its files are. */
  readonly folder: string
  /** Deletes them. */
  remove(): Promise<void>
}

/**
 * Builds the page from its sources into a folder of its own, so that no test uses an older build. In `test` React complains
 * about what it dislikes; `production` is what is published.
 */
export async function buildPage(environment: 'test' | 'production' = 'test'): Promise<BuiltPage> {
  const folder = await mkdtemp(join(tmpdir(), 'storeport-page-'))
  const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url))
  const define = { 'process.env.NODE_ENV': JSON.stringify(environment) }
  await build({ configFile, logLevel: 'error', define, build: { outDir: folder } })
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
