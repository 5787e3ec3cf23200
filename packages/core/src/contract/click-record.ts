import type { ErrorCode } from './errors.ts'
import type { EndpointName } from './store-port.ts'

/** The result of one change, for support. Passed to the option `onClick`. */
export interface ClickRecord {
  /** Time of the request, as an ISO 8601 string in UTC with milliseconds. */
  readonly time: string
  /** The requested endpoint. */
  readonly operation: EndpointName
  /** The customer's email, as sent. */
  readonly email: string
  /** The known fields of the request, without the email; empty for an invalid request. */
  readonly input: Readonly<Record<string, unknown>>
  /** HTTP status of the response. */
  readonly status: number
  /** Error code of the response; absent for a success. */
  readonly code?: ErrorCode | undefined
  /** Whether the response repeats a stored success. If so, the change was not made again. */
  readonly repeat: boolean
  /** Duration of the request, in whole milliseconds. */
  readonly durationMs: number
  /** `X-Request-Id` of the response. */
  readonly requestId: string
  /** Name of the API key: the first 8 hex digits of its SHA-256 digest. */
  readonly keyName: string
}

/** Records to read. Without a field, all records. */
export interface ClickQuery {
  /** Only records of this customer, in any letter case. */
  readonly email?: string | undefined
  /** Only records with this `X-Request-Id`. */
  readonly requestId?: string | undefined
  /** Whether to return only records of rejected and failed requests; default false. */
  readonly failed?: boolean | undefined
  /** Only records from this time on. */
  readonly since?: Date | undefined
  /** Maximum number of records; default 1,000. The latest records are returned. */
  readonly limit?: number | undefined
}

/** Storage of click records in a store. */
export interface ClickRecords {
  /** Stores a record in the background. Resolves when the record is stored or dropped; never rejects. */
  recordClick(record: ClickRecord): Promise<void>
  /** Returns records, oldest first. */
  clickRecords(query?: ClickQuery): Promise<readonly ClickRecord[]>
  /** Deletes all records of a customer, in any letter case. Returns their number. */
  eraseClickRecords(email: string): Promise<number>
}
