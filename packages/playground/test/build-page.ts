import { fileURLToPath } from 'node:url'
import { oncePerRun } from '@storeport/testing/once-per-run'
import { build } from 'vite'

/**
 * Builds the page from its sources once per run into a temporary folder, so that no test uses an older build; returns the
 * folder. The folder is deleted at the end of the run. With `test`, React prints warnings; `production` is the published
 * build.
 */
export function buildPage(environment: 'test' | 'production' = 'test'): Promise<string> {
  return oncePerRun(`storeport-page-${environment}`, async (outDir) => {
    const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url))
    const define = { 'process.env.NODE_ENV': JSON.stringify(environment) }
    await build({ configFile, logLevel: 'error', define, build: { outDir } })
  })
}
