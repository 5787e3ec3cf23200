import { existsSync } from 'node:fs'

/** Returns the reason to skip tests if a file is missing, otherwise `undefined`. In CI, no test is skipped. */
export function missingProgram(file: string): string | undefined {
  return existsSync(file) || process.env['CI'] === 'true' ? undefined : `${file} not found`
}
