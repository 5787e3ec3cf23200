import { expect, test } from 'vitest'
import { shortCases } from './cases.ts'
import { exploreAll } from './report.ts'

test('applies a click once in every schedule of the short cases', { timeout: 10 * 60_000 }, async () => {
  expect(await exploreAll(shortCases)).toEqual([])
})

test('reports a case without a fault, with a fault that never occurs, or with too many schedules', async () => {
  const [shortest] = shortCases.filter(({ name }) => name === 'rejected, then repeated, plain')
  if (shortest === undefined) throw new Error('Case not found.')
  const { name } = shortest
  expect(await exploreAll([{ ...shortest, faults: [] }])).toEqual([`${name}: has no fault`])
  expect(await exploreAll([{ ...shortest, faults: ['lost commit'] }])).toEqual([
    `${name}: no schedule has the fault lost commit`,
  ])
  expect(await exploreAll([shortest], 3)).toEqual([`${name}: has more than 3 schedules`])
})
