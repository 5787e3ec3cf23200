/** A mistake in the words of the command that its user can correct; the message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
