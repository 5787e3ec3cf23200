import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/**
 * Builds the page from its sources into a temporary folder, so that no test uses an older build; returns the folder.
 * The folder is deleted at the end of the run. With `test`, React prints warnings; `production` is the published build.
 */
export async function buildPage(environment: 'test' | 'production' = 'test'): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'storeport-page-'))
  const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url))
  const define = { 'process.env.NODE_ENV': JSON.stringify(environment) }
  await build({ configFile, logLevel: 'error', define, build: { outDir } })
  return outDir
}
