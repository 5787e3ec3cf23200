import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const probe = join(root, 'test', `probe-${process.pid}.test.ts`)

afterEach(() => rmSync(probe, { force: true }))

/** Runs one test file in the same way as `npm test`, and returns the exit code. */
function runProbe(expectation: string): number | null {
  const lines = [
    "import { sharedPostgres } from '@storeport/testing/shared-postgres'",
    "import { expect, it } from 'vitest'",
    `it('uses the database', async () => { await sharedPostgres(); ${expectation} })`,
  ]
  writeFileSync(probe, `${lines.join('\n')}\n`)
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'quick', probe]
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'ignore' }).status
}

it('exits with 1 after a failed test in a run that started a database server', () => {
  expect(runProbe('expect(1).toBe(1)')).toBe(0)
  expect(runProbe('expect(1).toBe(2)')).toBe(1)
})
