/** A check cannot be made here. */
export class CheckSkip extends Error {
  override readonly name = 'CheckSkip'
  /** Whether earlier calls used up what the check needs, which a fresh server would have. */
  readonly spent: boolean
  /** The place in the profile that names nothing, such as `customers.subscribed`. */
  readonly lacks: string | undefined

  constructor(reason: string, spent: boolean, lacks?: string) {
    super(reason)
    this.spent = spent
    this.lacks = lacks
  }
}
