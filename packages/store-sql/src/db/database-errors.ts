import { isStoreError, StoreError, withoutEmails } from '@storeport/core'
import type { Failure, Waiting } from './connections.ts'

/** Thrown if a concurrent transaction has changed the same data. The transaction is then retried. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile'
}

/** Thrown if a commit was not acknowledged; `cause` is the database error. */
export class CommitFailure extends Error {
  override readonly name = 'CommitFailure'

  constructor(cause: unknown) {
    super('The commit was not acknowledged.', { cause })
  }
}

/** State of a transaction after its last attempt. */
interface Circumstances {
  readonly waiting: Waiting
  /** Whether the outcome of a sent commit is unknown. */
  readonly unknown: boolean
}

/** Converts a database error to the error that the caller receives. */
export function toCallerError(
  error: unknown,
  failure: Failure | undefined,
  { waiting, unknown }: Circumstances,
): unknown {
  if (isStoreError(error)) return error
  if (unknown) {
    const message = 'Lost the database connection during commit. The outcome is unknown.'
    return new StoreError('upstream_error', message, { cause: removeDetails(error) })
  }
  if (waiting.signal.aborted) return waiting.signal.reason
  return failure === undefined
    ? removeDetails(error)
    : new StoreError('store_unavailable', undefined, { cause: removeDetails(error) })
}

/** Removes emails and details from a database error, because emails must not be logged. The error code is unchanged. */
function removeDetails(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const { code } = error
  return Object.assign(new Error(withoutEmails(`${String(code)}: ${error.message}`)), { code })
}
