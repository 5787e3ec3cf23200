import type { Exchange } from '../../src/protocol.ts'

/** What the two answers to one click tell of each other, as far as the wire shows it. */
export type Comparison = 'replayed' | 'alike' | 'oneRefused' | 'noneWorked'

/** Compares the answers to a click that came twice. */
export function compareAnswers(first: Exchange, second: Exchange): Comparison {
  const worked = [first, second].filter(hasWorked).length
  if (worked === 0) return 'noneWorked'
  if (worked === 1) return 'oneRefused'
  const isReplayed = second.response?.headers.some(([name]) => name.toLowerCase() === 'idempotency-replayed')
  return isReplayed === true ? 'replayed' : 'alike'
}

function hasWorked({ response }: Exchange): boolean {
  return response !== null && response.status >= 200 && response.status < 300
}
