import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Builds the packages whose sources changed since the last build. Arguments limit the build to the named folders in
 * `packages`. The sequence of the workspaces ensures that the types that a package uses are built first.
 */
const named = process.argv.slice(2)
const { workspaces }: { workspaces: readonly string[] } = JSON.parse(readFileSync('package.json', 'utf8'))
const stale = workspaces
  .filter((folder) => folder.startsWith('packages/'))
  .filter((folder) => named.length === 0 || named.includes(folder.slice('packages/'.length)))
  .filter(isStale)
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
