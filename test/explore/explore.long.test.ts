import { expect, test } from 'vitest'
import { cases } from './cases.ts'
import { exploreAll } from './report.ts'

test('applies a click once in every schedule of all cases', { timeout: 60 * 60_000 }, async () => {
  expect(await exploreAll(cases, true)).toEqual([])
})
