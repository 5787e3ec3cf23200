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

/** Says whether a figure is reached, given how far a measurement of the same thing can be off. */
export function verdictOf(measured: number, least: number, spread: number): Verdict {
  if (Number.isNaN(measured)) return 'not resolved'
  if (measured >= least) return 'reached'
  return measured + spread >= least ? 'not resolved' : 'not reached'
}
