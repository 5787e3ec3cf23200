import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const program = `
  import { createIntegration } from '@storeport/core'
  export default createIntegration({ apiKeys: ['bench-key-0123456789abcdef'], store: { delaySubscription: async () => {} } })`

it(
  'bundles one endpoint for edge runtimes in less than 28,000 bytes, minified and gzipped',
  { timeout: 120_000 },
  async () => {
    const { outputFiles } = await build({
      stdin: { contents: program, resolveDir: installPackedCore() },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      conditions: ['workerd', 'worker'],
      external: ['node:*'],
      target: 'es2022',
      logLevel: 'error',
    })
    const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
    // A smaller bundle would be incomplete.
    expect(size).toBeGreaterThan(10_000)
    expect(size).toBeLessThan(28_000)
  },
)

/** Packs the built core package and unpacks it into `node_modules`, as npm does. Returns the parent folder. */
function installPackedCore(): string {
  const folder = resolve('node_modules/.cache/storeport-bundle')
  const target = join(folder, 'node_modules/@storeport/core')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const packed = execFileSync('npm', ['pack', '-w', 'packages/core', '--pack-destination', folder, '--json'])
  const [archive]: { readonly filename: string }[] = Object.values(JSON.parse(String(packed)))
  execFileSync('tar', ['-xzf', join(folder, String(archive?.filename)), '-C', target, '--strip-components=1'])
  return folder
}
