/** A check cannot be made here. */
export class CheckSkip extends Error {
  override readonly name: string = 'CheckSkip'
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

/** The shop counts calls, and the run does not wait. */
export class CheckPause extends CheckSkip {
  override readonly name = 'CheckPause'
  /** How long the shop wants the next call to wait. */
  readonly seconds: number

  constructor(seconds: number) {
    super(`the shop counts calls and wants a pause of ${seconds} s`, false)
    this.seconds = seconds
  }
}
