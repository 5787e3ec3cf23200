import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { missingProgram } from '@storeport/testing/missing-program'
import { expect, it } from 'vitest'

const pin = new URL('../bench/measure/processes.ts', import.meta.url).href

/**
 * Prints the allowed processors after each step. Runs in a child process, because the setting applies to the whole
 * process.
 */
const program = `
  import { readFileSync } from 'node:fs'
  import { leaveProcessor, useAllProcessors } from ${JSON.stringify(pin)}
  const allowed = () => /^Cpus_allowed_list:\\s*(.*)$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]
  const steps = [() => {}, leaveProcessor, useAllProcessors]
  console.log(JSON.stringify(steps.map((step) => (step(), allowed()))))`

// The benchmark cannot reduce the processors on a machine that has only one processor.
it.skipIf(missingProgram('/usr/bin/taskset') || availableParallelism() < 2)(
  'restores all processors after a benchmark section that used one processor',
  () => {
    const output = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
      encoding: 'utf8',
    })
    const [before, restricted, after] = JSON.parse(output)
    expect(restricted).toMatch(/^\d+$/)
    expect(restricted).not.toBe(before)
    expect(after).toBe(before)
  },
)
