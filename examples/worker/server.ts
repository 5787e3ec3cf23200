import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'

/** Worker file to run: the first argument, or `worker.ts` by default. */
const entry = process.argv[2] ?? fileURLToPath(new URL('worker.ts', import.meta.url))

const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: 'esm', write: false })

const runtime = new Miniflare({
  modules: true,
  script: outputFiles.map(({ text }) => text).join('\n'),
  compatibilityDate: '2026-07-01',
  // Prevents Miniflare from loading a sample of edge request data from the network.
  cf: false,
  host: '127.0.0.1',
  port: Number(process.env['PORT'] ?? 3000),
  bindings: { STOREPORT_API_KEY: process.env['STOREPORT_API_KEY'] ?? '' },
})

console.log(`listening on ${(await runtime.ready).origin}`)
