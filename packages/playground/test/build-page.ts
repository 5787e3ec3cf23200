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

/** Builds the page from its sources into a folder of its own, so that no test uses an older build. */
export async function buildPage(): Promise<BuiltPage> {
  const folder = await mkdtemp(join(tmpdir(), 'storeport-page-'))
  const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url))
  await build({ configFile, logLevel: 'error', build: { outDir: folder } })
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
