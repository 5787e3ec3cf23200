/** A check cannot be made here; `spent` when earlier calls used up what it needs, which a fresh server would have. */
export class CheckSkip extends Error {
  override readonly name = 'CheckSkip'
  /** Whether a fresh server would have what the check needs. */
  readonly spent: boolean

  constructor(reason: string, spent: boolean) {
    super(reason)
    this.spent = spent
  }
}
