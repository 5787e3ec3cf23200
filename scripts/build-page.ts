import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Builds the playground's page when there is none yet, or its sources have changed since. */
const built = 'packages/playground/dist/page/index.html'
const newest = Math.max(...filesIn('packages/playground/page').map((file) => statSync(file).mtimeMs))
if (!existsSync(built) || statSync(built).mtimeMs < newest) {
  const { status } = spawnSync('npx', ['vite', 'build', '--logLevel', 'warn'], {
    cwd: 'packages/playground',
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
