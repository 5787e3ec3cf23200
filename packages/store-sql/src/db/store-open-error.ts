/** A database that cannot be used; the message says what to do, and holds no password. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError'
}
