import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Creates one folder for all temporary files of a test run, and removes the folder afterwards. Runs as vitest's `globalSetup`.
 * Many tests kill processes, which then cannot remove their own files.
 */
export async function setup(): Promise<() => Promise<void>> {
  // The name is short because the folder contains sockets, whose paths are limited to about 100 characters.
  const folder = await mkdtemp(join(tmpdir(), 'sp-'))
  // If the tests run as root, PostgreSQL runs as a different user, who must be able to open the folder.
  await chmod(folder, 0o711)
  process.env['TMPDIR'] = folder
  return () => rm(folder, { recursive: true, force: true })
}
