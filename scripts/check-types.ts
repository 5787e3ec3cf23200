import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Checks all types: each package with what that package may use, the playground's page with a browser's, and everything
 * together, tests included, with Node's. By TypeScript 7, which is several times faster; the declarations are built by 5.9.
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
