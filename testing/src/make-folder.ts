import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a folder for the files of a test. The end of the run removes the folder; see temporary-folder.ts. */
export function makeFolder(name: string): Promise<string> {
  return mkdtemp(join(tmpdir(), `${name}-`))
}
