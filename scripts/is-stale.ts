import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Returns whether a built file is missing or older than a file in a folder of sources. */
export function isStale(built: string, folder: string, ignored?: RegExp): boolean {
  if (!existsSync(built)) return true
  const builtAt = statSync(built).mtimeMs
  return readdirSync(folder, { recursive: true, withFileTypes: true }).some((entry) => {
    const file = join(entry.parentPath, entry.name)
    return entry.isFile() && ignored?.test(file) !== true && statSync(file).mtimeMs > builtAt
  })
}
