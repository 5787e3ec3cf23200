import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { test } from 'vitest'

const run = promisify(execFile)

test('schemas.json matches the types of the installed package', async () => {
  await run(process.execPath, ['--import', 'tsx', 'scripts/stripe-schemas.ts', '--check'])
})
