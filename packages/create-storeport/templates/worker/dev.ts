import { env } from './env.ts'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'

const { outputFiles } = await build({ entryPoints: ['worker.ts'], bundle: true, format: 'esm', write: false })

const runtime = new Miniflare({
  modules: true,
  script: outputFiles.map(({ text }) => text).join('\n'),
  compatibilityDate: '2026-07-01',
  // Prevents Miniflare from downloading sample `request.cf` data.
  cf: false,
  host: env['HOST'] || '127.0.0.1',
  port: Number(env['PORT'] || 3000),
  bindings: {
    STOREPORT_API_KEY: env['STOREPORT_API_KEY'] ?? '',
    STOREPORT_API_KEYS: env['STOREPORT_API_KEYS'] ?? '',
    STOREPORT_URL: env['STOREPORT_URL'] ?? '',
  },
})

console.log(`listening on ${(await runtime.ready).origin}`)

// On a signal, Miniflare stops the runtime and then this process.
process.on('exit', () => console.log('stopped'))
