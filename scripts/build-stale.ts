import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isStale } from './is-stale.ts'

/**
 * Builds the packages whose sources changed since the last build. Arguments limit the build to the named folders in
 * `packages`. The sequence of the workspaces ensures that the types that a package uses are built first.
 */
const notSources = /[\\/](?:dist|test|node_modules|templates)[\\/]/
const named = process.argv.slice(2)
const { workspaces }: { workspaces: readonly string[] } = JSON.parse(readFileSync('package.json', 'utf8'))
const stale = workspaces
  .filter((folder) => folder.startsWith('packages/'))
  .filter((folder) => named.length === 0 || named.includes(folder.slice('packages/'.length)))
  .filter((folder) => isStale(join(folder, 'dist/index.js'), folder, notSources))
if (stale.length > 0) {
  const words = ['run', 'build', ...stale.flatMap((folder) => ['--workspace', folder])]
  const { status } = spawnSync('npm', words, { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
