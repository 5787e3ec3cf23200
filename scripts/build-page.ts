import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { join, resolve } from 'node:path'
import { isStale } from './is-stale.ts'

/** Builds the playground page if it has not been built or if its sources have changed since the last build. */
const playground = resolve(import.meta.dirname, '../packages/playground')
if (!isStale(join(playground, 'dist/page/index.html'), join(playground, 'page'))) {
  // The page is up to date.
} else if (!isWritable(playground)) {
  process.stderr.write(
    `${playground} is read-only, so the playground page cannot be built. The API works without it.\n`,
  )
} else {
  const { status } = spawnSync('npx', ['vite', 'build', '--logLevel', 'warn'], {
    cwd: playground,
    // Prints the build output to stderr, because stdout belongs to the command that runs afterwards.
    stdio: ['ignore', 2, 2],
  })
  process.exitCode = status ?? 1
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
