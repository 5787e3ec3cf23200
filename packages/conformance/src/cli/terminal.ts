/** Where the command writes to. */
export interface Terminal {
  /** Writes to standard output. */
  out(text: string): void
  /** Writes to standard error. */
  err(text: string): void
  /** Whether standard output shows colours. */
  readonly outHasColors: boolean
  /** Whether standard error shows colours. */
  readonly errHasColors: boolean
  /** Whether a person watches standard error: then progress is shown there. */
  readonly isWatched: boolean
  /** How many letters fit into a line. */
  columns(): number
}
