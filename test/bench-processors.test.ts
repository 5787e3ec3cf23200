import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { missingProgram } from '@storeport/testing/missing-program'
import { expect, it } from 'vitest'

const pin = new URL('../bench/measure/processes.ts', import.meta.url).href

/** The processors that a process may use at each of these steps; in one of its own, since they are the whole process's. */
const program = `
  import { readFileSync } from 'node:fs'
  import { leaveProcessor, useAllProcessors } from ${JSON.stringify(pin)}
  const allowed = () => /^Cpus_allowed_list:\\s*(.*)$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]
  const steps = [() => {}, leaveProcessor, useAllProcessors]
  console.log(JSON.stringify(steps.map((step) => (step(), allowed()))))`

// On one processor nothing is kept off another.
it.skipIf(missingProgram('/usr/bin/taskset') || availableParallelism() < 2)(
  'a section of the benchmark that kept to one processor leaves all of them to the next',
  () => {
    const output = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
      encoding: 'utf8',
    })
    const [before, kept, after] = JSON.parse(output)
    expect(kept).toMatch(/^\d+$/)
    expect(kept).not.toBe(before)
    expect(after).toBe(before)
  },
)
