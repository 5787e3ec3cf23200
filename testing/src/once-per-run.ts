import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'

/**
 * Fills a folder once per test run, for the test files of all workers. Returns the folder, which the files must not
 * change. The first call runs `fill`, and the other calls wait. If `fill` fails, every call rejects.
 */
export async function oncePerRun(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  // The temporary folder belongs to the run; see temporary-folder.ts.
  const folder = join(tmpdir(), name)
  const [filling, failed] = [`${folder}-filling`, `${folder}-failed`]
  const isFirst = await mkdir(filling).then(
    () => true,
    () => false,
  )
  if (isFirst) {
    try {
      const own = join(filling, 'folder')
      await mkdir(own)
      await fill(own)
      await rename(own, folder)
    } catch (error) {
      await writeFile(failed, '')
      throw error
    }
  }
  while (!existsSync(folder) && !existsSync(failed)) await after(50)
  if (existsSync(failed)) throw new Error(`Another test file could not fill ${name}.`)
  return folder
}
