/** Something in the words of the command that whoever wrote them can put right; its message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
