import { StoreError } from '@storeport/core'

/** Matches connection errors, timeouts and lock errors. Before the commit, such an error means that nothing was changed. */
const unavailable =
  /\b(?:08\w{3}|53300|57P0\d|57014|25P03|55P03|40P01|40001|E(?:CONN\w+|PIPE|TIMEDOUT|AI_AGAIN|NOENT)|P1\d{3}|P20(?:24|28|34))\b|\bconnection\b|timeout exceeded|read timeout/i

/** Throws `store_unavailable` (status 503) if the caller can retry. Otherwise rethrows the error. */
export function throwUnavailable(error: unknown): never {
  if (!isUnavailable(error)) throw error
  throw new StoreError('store_unavailable', undefined, { cause: error })
}

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof StoreError) return false
  const text = `${'code' in error ? String(error.code) : ''} ${error.message}`
  // Checks the driver's error in `cause`, because a library can include the SQL statement in its own message.
  return error.cause === undefined ? unavailable.test(text) : isUnavailable(error.cause)
}
