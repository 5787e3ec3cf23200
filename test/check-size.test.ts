import { expect, it } from 'vitest'
import { checkSize } from '../scripts/check-size.ts'

const budget = { lines: 96_000, words: 63_000 }

it('accepts sizes within the budget', () => {
  expect(checkSize(budget, budget, true)).toEqual([])
})

it.each([
  ['warns about 1,500 lines', { lines: 97_500 }, 'warning: 97500 lines are 1500 more than the budget of 96000.'],
  ['fails for 1,501 lines', { lines: 97_501 }, 'error: 97501 lines are 1501 more than the budget of 96000.'],
  ['warns about 1,000 words', { words: 64_000 }, 'warning: 64000 words are 1000 more than the budget of 63000.'],
  ['fails for 1,001 words', { words: 64_001 }, 'error: 64001 words are 1001 more than the budget of 63000.'],
])('%s above the budget', (_, sizes, message) => {
  expect(checkSize({ ...budget, ...sizes }, budget, false)).toEqual([message])
})

it('fails for a single line or word above the budget if it is strict', () => {
  expect(checkSize({ lines: 96_001, words: 63_001 }, budget, true)).toEqual([
    'error: 96001 lines are 1 more than the budget of 96000.',
    'error: 63001 words are 1 more than the budget of 63000.',
  ])
})
