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

/** Error while creating a project; the message contains the fix. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError'
}

/** Throws ProjectError if `folder` is a file, or a folder that contains anything except `.git`. */
export function checkFolder(folder: string): void {
  if (!existsSync(folder)) return
  if (!statSync(folder).isDirectory()) {
    throw new ProjectError(`${folder} is a file. Choose another folder.`)
  }
  const [found] = readdirSync(folder).filter((name) => name !== '.git')
  if (found === undefined) return
  throw new ProjectError(`${folder} is not empty (it contains ${found}). Choose another folder, or empty it.`)
}

/** Writes all files of a project, or none; throws ProjectError if a file cannot be written. */
export function writeProject(folder: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  checkFolder(folder)
  // Ignores SIGINT during the synchronous calls below, so that Ctrl-C does not leave a partial project.
  const ignoreSignal = () => {}
  process.on('SIGINT', ignoreSignal)
  let createdFolder: string | undefined
  let temporary: string | undefined
  try {
    createdFolder = mkdirSync(folder, { recursive: true })
    temporary = mkdtempSync(join(folder, '.new-'))
    for (const [path, content] of files) {
      mkdirSync(dirname(join(temporary, path)), { recursive: true })
      // Makes `.env` readable only by its owner, because the file contains the API key.
      writeFileSync(join(temporary, path), content, { mode: path === '.env' ? 0o600 : 0o666 })
    }
    for (const name of readdirSync(temporary)) renameSync(join(temporary, name), join(folder, name))
    rmdirSync(temporary)
  } catch (error) {
    if (createdFolder !== undefined) rmSync(createdFolder, { recursive: true, force: true })
    else if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true })
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    throw new ProjectError(`${folder} cannot be written (${reason}). Choose another folder.`, { cause: error })
  } finally {
    process.off('SIGINT', ignoreSignal)
  }
}
