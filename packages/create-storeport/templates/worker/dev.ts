import { existsSync } from 'node:fs'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'

if (existsSync('.env')) process.loadEnvFile('.env')

const { outputFiles } = await build({ entryPoints: ['worker.ts'], bundle: true, format: 'esm', write: false })

const runtime = new Miniflare({
  modules: true,
  script: outputFiles.map(({ text }) => text).join('\n'),
  compatibilityDate: '2026-07-01',
  // Prevents Miniflare from downloading sample `request.cf` data.
  cf: false,
  host: process.env['HOST'] ?? '127.0.0.1',
  port: Number(process.env['PORT'] ?? 3000),
  bindings: {
    STOREPORT_API_KEY: process.env['STOREPORT_API_KEY'] ?? '',
    STOREPORT_URL: process.env['STOREPORT_URL'] ?? 'http://127.0.0.1:3000',
  },
})

console.log(`listening on ${(await runtime.ready).origin}`)

// On a signal, Miniflare stops the runtime and then this process.
process.on('exit', () => console.log('stopped'))
