import { isStoreError, StoreError, withoutEmails } from '@storeport/core'
import type { Failure, Waiting } from './connections.ts'

/** Thrown in a transaction that must be restarted, because what it read has changed meanwhile. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile'
}

/** A commit that was not acknowledged; the cause is the database's error. */
export class CommitFailure extends Error {
  override readonly name = 'CommitFailure'

  constructor(cause: unknown) {
    super('The commit was not acknowledged.', { cause })
  }
}

/** What is known when nothing more is tried. */
interface Circumstances {
  readonly waiting: Waiting
  /** Whether a commit was sent of which nobody knows whether it arrived. */
  readonly unknown: boolean
}

/** Turns an error of the database into the one that its caller gets. */
export function toCallerError(
  error: unknown,
  failure: Failure | undefined,
  { waiting, unknown }: Circumstances,
): unknown {
  if (isStoreError(error)) return error
  if (unknown) {
    const message = 'The database was lost while it kept the change: whether it did is not known.'
    return new StoreError('upstream_error', message, { cause: removeDetails(error) })
  }
  if (waiting.signal.aborted) return waiting.signal.reason
  return failure === undefined
    ? removeDetails(error)
    : new StoreError('store_unavailable', undefined, { cause: removeDetails(error) })
}

/** Returns a database's error with its code, but without its details, which hold the values of rows: no email may reach a log. */
function removeDetails(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const { code } = error
  return Object.assign(new Error(withoutEmails(`${String(code)}: ${error.message}`)), { code })
}
