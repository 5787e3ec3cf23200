import type { CheckFailure } from '../engine/check-failure.ts'
import { findingOf } from './finding-of.ts'
import { findingRows } from './finding-rows.ts'

/** What a test runner shows of a failure: below its point the same lines as in every report. */
export function describeFinding(failure: CheckFailure, baseUrl: string): string {
  const rows = findingRows(findingOf(failure, baseUrl)).map(({ name, value }) => `${name.padEnd(10)} ${value}`)
  return [`${failure.requirement}: expected ${failure.expected}`, ...rows].join('\n  ')
}
