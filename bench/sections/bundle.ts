import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { type BundleEntry, bundleEntries } from '../measure/bundle-entries.ts'
import { packedCore } from '../measure/packed-core.ts'
import type { Section } from '../report/section.ts'

const reach = 18_000

/** The size of one endpoint for the edge. */
export async function bundle(): Promise<Section> {
  const folder = await packedCore()
  const sizes = new Map<string, number>()
  for (const [name, contents] of Object.entries(bundleEntries)) sizes.set(name, await sizeOf(contents, folder))
  const own: BundleEntry = 'StorePort, one endpoint'
  const size = sizes.get(own) ?? Number.NaN
  return {
    title: 'Bundle for the edge',
    method:
      'One endpoint with everything it needs, from the packed package, by esbuild with the conditions of a worker: ' +
      'minified, gzip 9. The others alone, with the least that one would use of them.',
    columns: ['bundle', 'bytes, min + gzip'],
    rows: [...sizes].map(([name, bytes]) => [name, bytes.toLocaleString('en')]),
    findings: [
      {
        what: own,
        reach: '≤ 18 KB',
        measured: `${(size / 1000).toFixed(1)} KB`,
        verdict: size <= reach ? 'reached' : 'not reached',
      },
    ],
  }
}

async function sizeOf(contents: string, folder: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
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
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
}
