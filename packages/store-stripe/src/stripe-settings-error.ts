/** What is wrong with the client, the key or the account, as a log line says it. */
export type StripeSettingsCode = 'STRIPE_VERSION' | 'STRIPE_KEY_REFUSED' | 'STRIPE_PERMISSION' | 'STRIPE_NO_PRICES'

/** A client, a key or an account that the store cannot work with; the message says what to change, and holds no key. */
export class StripeSettingsError extends Error {
  override readonly name = 'StripeSettingsError'
  /** What is wrong: where a call failed because of it, the log line of the call says it. */
  readonly code: StripeSettingsCode

  constructor(code: StripeSettingsCode, message: string) {
    super(message)
    this.code = code
  }
}
