import { expect, it } from 'vitest'
import { compareAnswers } from '../page/wire/compare-answers.ts'
import type { Exchange } from '../src/protocol.ts'

function exchange(status: number | null, headers: readonly (readonly [string, string])[] = []): Exchange {
  return {
    request: { method: 'POST', url: 'http://shop.example/', headers: [], body: '{}' },
    response: status === null ? null : { status, headers, body: '{}' },
    problem: null,
    durationMs: 1,
  }
}

it.each([
  [exchange(200), exchange(200), 'alike'],
  [exchange(200), exchange(200, [['idempotency-replayed', 'true']]), 'replayed'],
  [exchange(200), exchange(409), 'oneRefused'],
  [exchange(null), exchange(200), 'oneRefused'],
  [exchange(404), exchange(404), 'noneWorked'],
  [exchange(null), exchange(null), 'noneWorked'],
])('compares two answers as the wire shows them, %#', (first, second, said) => {
  expect(compareAnswers(first, second)).toBe(said)
})
