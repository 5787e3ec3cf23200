import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Creates a folder for all temporary files of a test run, and removes the folder afterwards, as vitest's `globalSetup`.
 * A process that a test kills cannot remove its own files.
 */
export async function setup(): Promise<() => Promise<void>> {
  // The folder name is short, because a socket path is limited to about 100 characters.
  const folder = await mkdtemp(join(tmpdir(), 'sp-'))
  // If the tests run as root, PostgreSQL runs as a different user, which needs access to the folder.
  await chmod(folder, 0o711)
  process.env['TMPDIR'] = folder
  return () => rm(folder, { recursive: true, force: true })
}
