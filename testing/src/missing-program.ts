import { existsSync } from 'node:fs'

/** Returns why tests that need a Debian program cannot run, or `undefined` if they can. Always `undefined` in CI. */
export function missingProgram(file: string): string | undefined {
  return existsSync(file) || process.env['CI'] === 'true' ? undefined : `${file} not found`
}
