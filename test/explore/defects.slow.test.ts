import { describe, expect, test } from 'vitest'
import { longCases, shortCases } from './cases.ts'
import { loadCore } from './core.ts'
import { defects } from './defects.ts'
import { explore } from './explore.ts'
import { limit } from './report.ts'

const cases = new Map([...longCases, ...shortCases].map((each) => [each.name, each]))

describe('explorer', () => {
  test.each(defects)('detects a core in which $name', { timeout: 5 * 60_000 }, async (defect) => {
    const explored = cases.get(defect.foundBy)
    if (explored === undefined) throw new Error(`Case ${defect.foundBy} not found.`)
    const core = await loadCore([defect, ...(explored.edits ?? [])])
    const { failure, schedules } = await explore(core, explored, limit)
    console.log([`${defect.name}: ${failure?.message} (schedule ${schedules})`, ...(failure?.trace ?? [])].join('\n'))
    expect(failure?.trace).toBeDefined()
  })

  test('rejects an edit whose string is not in the source', async () => {
    await expect(loadCore([{ from: 'no such string', to: '' }])).rejects.toThrow(
      'must contain this string exactly once',
    )
  })
})
