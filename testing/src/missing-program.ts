import { existsSync } from 'node:fs'

/** Why tests that need a program of Debian's cannot run here; `undefined` where they can, and in CI, where they must. */
export function missingProgram(file: string): string | undefined {
  return existsSync(file) || process.env['CI'] === 'true' ? undefined : `there is no ${file}`
}
