import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * For vitest's `globalSetup`: what the tests of a run keep in temporary files is in one folder, which goes with the run. Many of
 * them kill what they have started, which then takes nothing away itself.
 */
export async function setup(): Promise<() => Promise<void>> {
  // The name is short, since sockets are in there, whose paths may have a hundred characters.
  const folder = await mkdtemp(join(tmpdir(), 'sp-'))
  // PostgreSQL, which runs as another user where this is root, goes through it.
  await chmod(folder, 0o711)
  process.env['TMPDIR'] = folder
  return () => rm(folder, { recursive: true, force: true })
}
