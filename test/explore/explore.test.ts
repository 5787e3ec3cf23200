import { expect, test } from 'vitest'
import { shortCases } from './cases.ts'
import { exploreAll } from './report.ts'

test('counts a click once in every schedule of the short cases', { timeout: 10 * 60_000 }, async () => {
  expect(await exploreAll(shortCases)).toEqual([])
})
