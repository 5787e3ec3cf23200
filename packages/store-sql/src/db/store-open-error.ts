/** Thrown if a database cannot be opened. The message contains the problem and what to do, without a password. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError'
}
