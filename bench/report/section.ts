import type { Interval } from '../measure/statistics.ts'

/** Whether a figure of the design was reached; `not resolved` when the difference is smaller than what the control shows. */
export type Verdict = 'reached' | 'not reached' | 'not resolved' | 'reported only'

/** One figure that is to be reached. */
export interface Finding {
  readonly what: string
  readonly reach: string
  readonly measured: string
  readonly verdict: Verdict
}

/** One bar of the chart. */
export interface Bar {
  readonly label: string
  readonly value: number
  /** Whether it is StorePort's own. */
  readonly own: boolean
}

/** A chart: bars against the limit, which is 1. */
export interface Chart {
  readonly title: string
  readonly bars: readonly Bar[]
}

/** What one part of the benchmark came to. */
export interface Section {
  readonly title: string
  /** How it was measured, in a few sentences. */
  readonly method: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly findings: readonly Finding[]
  readonly charts?: readonly Chart[]
}

/** How thorough a run is. */
export interface Effort {
  /** Whether the run may take long. */
  readonly full: boolean
  /** Customers of the large store. */
  readonly customers: number
}

/** Whether a median is at least so much; what its interval reaches and it does not is not resolved. */
export function verdictAtLeast(median: number, [, high]: Interval, least: number): Verdict {
  if (median >= least) return 'reached'
  return high < least ? 'not reached' : 'not resolved'
}

/** Whether a median is at most so much; what its interval reaches and it does not is not resolved. */
export function verdictAtMost(median: number, [low]: Interval, most: number): Verdict {
  if (median <= most) return 'reached'
  return low > most ? 'not reached' : 'not resolved'
}

/** A median with where it lies in 95 of 100 cases. */
export function withInterval(median: number, [low, high]: Interval, digits: number): string {
  return `${median.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`
}
