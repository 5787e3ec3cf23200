/** How much one run of a store's `billDue` does. */
export interface BillDueOptions {
  /** Most customers to bill in this run, each in a transaction of their own; default 100. */
  readonly limit?: number | undefined
}

/** What one run of a store's `billDue` did. */
export interface BillDueResult {
  /** Orders that were made. */
  readonly billed: number
  /** Whether the run ended at its limit: then more customers may be due. */
  readonly more: boolean
  /** Why customers could not be billed, one error each: they stay due and keep nobody else waiting. None without failures. */
  readonly failures?: readonly unknown[] | undefined
}

/** Returns the limit of a run of `billDue`; throws a RangeError for one that is not a whole number, 1 or more. */
export function readBillLimit({ limit = 100 }: BillDueOptions = {}): number {
  if (Number.isSafeInteger(limit) && limit >= 1) return limit
  throw new RangeError('limit: must be a whole number, 1 or more')
}
