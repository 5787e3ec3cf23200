import { describe, expect, test } from 'vitest'
import { cases } from './cases.ts'
import { defects } from './defects.ts'
import { explore } from './explore.ts'
import { loadProtocol } from './protocol.ts'
import { exploreAll } from './report.ts'

/** Cases with few schedules. `npm run test:long` explores all cases. */
const short = [
  'one click twice',
  'one named click twice',
  'named and unnamed',
  'one key with another body',
  'overtaken',
]

test('applies a click once in every schedule of the short cases', async () => {
  expect(await exploreAll(cases.filter(({ name }) => short.includes(name.split(', ')[0] ?? '')))).toEqual([])
})

describe('the explorer', () => {
  test.each(defects)('finds a protocol in which $name', async (defect) => {
    const found = cases.find(({ name }) => name === defect.foundBy)
    if (found === undefined) throw new Error(`Case ${defect.foundBy} not found.`)
    expect(explore(await loadProtocol(defect), found).failure).toBeDefined()
  })

  test('rejects an edit whose string is not in the protocol', async () => {
    await expect(loadProtocol({ from: 'no such string', to: '' })).rejects.toThrow('exactly once')
  })

  test('reports a case with too many states', async () => {
    const [first] = cases
    if (first === undefined) throw new Error('There is no case.')
    expect(explore(await loadProtocol(), first, 3).isCut).toBe(true)
  })
})
