import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Builds the playground page if it has not been built or if its sources have changed since the last build. */
const playground = resolve(import.meta.dirname, '../packages/playground')
const built = join(playground, 'dist/page/index.html')
const newest = Math.max(...filesIn(join(playground, 'page')).map((file) => statSync(file).mtimeMs))
if (!existsSync(built) || statSync(built).mtimeMs < newest) {
  const { status } = spawnSync('npx', ['vite', 'build', '--logLevel', 'warn'], {
    cwd: playground,
    // Prints the build output to stderr, because stdout belongs to the command that runs afterwards.
    stdio: ['ignore', 2, 2],
  })
  process.exitCode = status ?? 1
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
