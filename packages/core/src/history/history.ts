import type { ErrorCode } from '../contract/errors.ts'
import type { EndpointName, Reconciled } from '../contract/store-port.ts'

/** Result of one change, or of one failure that names a customer. */
export interface HistoryFacts {
  /** Time of the request on this machine's clock, in milliseconds since 1970. */
  readonly at: number
  /** `X-Request-Id` of the response. */
  readonly requestId: string
  /** The requested endpoint. */
  readonly operation: EndpointName
  /** The customer's email, as sent. */
  readonly email: string
  /** Name of the shop in its ledger: the option `scope` of the integration. */
  readonly scope: string
  /** Fields of the request, without the email; empty for an invalid request. */
  readonly input: Readonly<Record<string, unknown>>
  /** The `Idempotency-Key` of the request. */
  readonly namedKey?: string | undefined
  /** HTTP status of the response. */
  readonly status: number
  /** Error code of the response; absent for a success. */
  readonly code?: ErrorCode | undefined
  /** Whether the change may have been made although the request failed. */
  readonly unknown?: boolean | undefined
  /** Whether the operation was paused. */
  readonly paused?: boolean | undefined
  /** Request id of the failed click that an operator ran again with this request. */
  readonly replayOf?: string | undefined
  /** Whether the response is a replay. */
  readonly replayed?: boolean | undefined
  /** Whether this is the end of a store call whose request had failed with 504. */
  readonly late?: boolean | undefined
  /** Result of the store's `reconcile`; absent if `reconcile` did not run. */
  readonly reconciled?: Reconciled | undefined
  /** The `context.idempotencyKey`, which all attempts of a click share; absent if the store was not called. */
  readonly clickKey?: string | undefined
  /** Duration of the request, in milliseconds. */
  readonly ms: number
}

/** A record to store. */
export interface HistoryEntry extends HistoryFacts {
  /** The API key of the request. Only a keyed digest of the API key is stored. */
  readonly apiKey: string
}

/** A stored record. */
export interface HistoryRecord extends HistoryFacts {
  /** Name of the API key: a short keyed digest, which stays the same while the history key is in use. */
  readonly keyName: string
}

/** Records to read. Without a field, all records. */
export interface HistoryQuery {
  /** Only records of this customer. */
  readonly email?: string | undefined
  /** Only failures with this `X-Request-Id`. */
  readonly requestId?: string | undefined
  /** Only failures. */
  readonly failed?: boolean | undefined
  /** Only records from this time on, in milliseconds since 1970. */
  readonly since?: number | undefined
  /** Maximum number of records; default 1,000. The latest records are returned. */
  readonly limit?: number | undefined
}

/** Records that were read. */
export interface HistoryPage {
  /** The records, oldest first. */
  readonly records: readonly HistoryRecord[]
  /** Number of records that were found but not decrypted, because their key or version is unknown. */
  readonly unreadable: number
}

/** A history of clicks, for the option `history` of `createIntegration`. */
export interface History {
  /** Stores a record in the background, at most 1 s later. Returns immediately and never throws. */
  record(entry: HistoryEntry): void
  /** Stores all waiting records now, in one attempt. Never rejects. */
  flush(): Promise<void>
  /** Reads stored records and records that wait to be stored. */
  read(query?: HistoryQuery): Promise<HistoryPage>
  /** Deletes all records of a customer. Returns their number. */
  erase(email: string): Promise<number>
  /** Returns the number of records whose key is not in `keys`. Reads the whole history. */
  countForeign(): Promise<number>
  /** Deletes records that are older than the retention, in steps of 500. Runs by itself after writes. Never rejects. */
  sweep(): Promise<void>
  /** Returns the number of records that wait, and of records that were lost because the storage failed. */
  counts(): { readonly waiting: number; readonly dropped: number }
}

/** Number of digits of a row's id. */
export const idDigits = 19

/** A record as stored: names no customer. */
export interface HistoryRow {
  /** Id, which sorts by time: an integer below 2^63 with 19 digits. */
  readonly id: string
  /** Keyed digest of the customer. */
  readonly customer: string
  /** Request id of a failure; `null` for a success. */
  readonly failure: string | null
  /** JSON without customer data. */
  readonly facts: string
  /** Id of the key that sealed the row. */
  readonly keyId: string
  /** Encrypted email and fields. */
  readonly sealed: string
}

/** Rows to select. */
export interface HistoryFilter {
  /** Only rows of these customers. */
  readonly customers?: readonly string[] | undefined
  /** Only failures with this request id. */
  readonly requestId?: string | undefined
  /** Only failures. */
  readonly failed?: boolean | undefined
  /** Only rows with this id or a later id. */
  readonly from?: string | undefined
  readonly limit: number
}

/** Storage of a history. */
export interface HistoryStorage {
  /** Whether all rows stay in the memory of this process. */
  readonly isLocal?: boolean | undefined
  /** Stores rows. Ignores rows whose id is already stored, because a batch may be repeated. */
  append(rows: readonly HistoryRow[]): Promise<void>
  /** Returns the latest rows, latest first. */
  select(filter: HistoryFilter): Promise<readonly HistoryRow[]>
  /** Returns the number of rows of each key. */
  countByKey(): Promise<ReadonlyMap<string, number>>
  /** Deletes the rows of customers. Returns the number of rows. */
  erase(customers: readonly string[]): Promise<number>
  /** Deletes at most `limit` rows with an id before `id`. Returns the number of rows. */
  deleteBefore(id: string, limit: number): Promise<number>
}
