/** Error in the command line; the message contains the fix. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
