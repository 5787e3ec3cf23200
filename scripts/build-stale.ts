import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Builds the packages that have changed since they were built, or of those the ones whose folders are named. */
const named = process.argv.slice(2)
const folders = readdirSync('packages').filter((name) => named.length === 0 || named.includes(name))
const stale = folders.map((name) => `packages/${name}`).filter(isStale)
if (stale.length > 0) {
  const words = ['run', 'build', ...stale.flatMap((folder) => ['--workspace', folder])]
  const { status } = spawnSync('npm', words, { stdio: 'inherit' })
  process.exitCode = status ?? 1
}

function isStale(folder: string): boolean {
  const built = join(folder, 'dist/index.js')
  if (!existsSync(built)) return true
  const sources = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/[\\/](?:dist|test|node_modules|templates)[\\/]/.test(file))
  return sources.some((file) => statSync(file).mtimeMs > statSync(built).mtimeMs)
}
