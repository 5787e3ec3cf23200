import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** Why a project was not made; its message says what to do. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError'
}

/** Throws ProjectError when a project cannot be made in a folder: it must not exist, or be empty but for a `.git`. */
export function checkFolder(folder: string): void {
  if (!existsSync(folder)) return
  if (!statSync(folder).isDirectory()) {
    throw new ProjectError(`${folder} is there already, and is a file: choose another name`)
  }
  const [found] = readdirSync(folder).filter((name) => name !== '.git')
  if (found === undefined) return
  throw new ProjectError(`${folder} is not empty (it holds ${found}): choose another folder, or empty it`)
}

/** Writes a project, all of it or nothing; throws ProjectError. */
export function writeProject(folder: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  checkFolder(folder)
  // A signal that arrives while this runs is dealt with when it is done: nothing here waits.
  const wait = () => {}
  process.on('SIGINT', wait)
  let made: string | undefined
  let aside: string | undefined
  try {
    made = mkdirSync(folder, { recursive: true })
    aside = mkdtempSync(join(folder, '.new-'))
    for (const [path, content] of files) {
      mkdirSync(dirname(join(aside, path)), { recursive: true })
      // Nobody else on this machine needs to read the key.
      writeFileSync(join(aside, path), content, { mode: path === '.env' ? 0o600 : 0o666 })
    }
    for (const name of readdirSync(aside)) renameSync(join(aside, name), join(folder, name))
    rmdirSync(aside)
  } catch (error) {
    if (made !== undefined) rmSync(made, { recursive: true, force: true })
    else if (aside !== undefined) rmSync(aside, { recursive: true, force: true })
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'for an unknown reason'
    throw new ProjectError(`${folder} cannot be written (${reason}): choose another folder`, { cause: error })
  } finally {
    process.off('SIGINT', wait)
  }
}
