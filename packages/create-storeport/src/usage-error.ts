/** Error for invalid command-line arguments; the message contains the fix. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
