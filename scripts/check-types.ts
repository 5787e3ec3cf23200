import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Checks all types. Each package is checked with only its own dependencies, and the playground page with browser types.
 * All code, including tests, is checked again with Node types. Uses TypeScript 7, which is faster; the build uses 5.9.
 */
const parts = [['-b', 'tsconfig.packages.json'], ['--noEmit'], ['-p', 'packages/playground/page']]
const codes = await Promise.all(
  parts.map(async (words) => {
    const child = spawn(process.execPath, ['node_modules/typescript-7/bin/tsc', ...words], { stdio: 'inherit' })
    const [code] = await once(child, 'close')
    return code
  }),
)
process.exitCode = codes.every((code) => code === 0) ? 0 : 1
