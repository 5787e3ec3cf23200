import type { Section } from './section.ts'

/** A section with when and on what it was measured. */
export interface Result extends Section {
  readonly machine: string
  readonly versions: string
  readonly date: string
  /** Whether it comes from a thorough run. */
  readonly full: boolean
}
