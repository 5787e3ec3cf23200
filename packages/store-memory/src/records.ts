import { endpointNames, isEndpointName, isStoreError, StoreError } from '@storeport/core'
import type { ClickRecord, ClickRecords, EndpointName, ErrorCode } from '@storeport/core'
import { emailKey } from '@storeport/rules'
import type { RecordedCall } from './memory-store.ts'

/** Maximum number of recorded calls. */
const maxCalls = 1000

/** A recorded call. The outcome is set when the operation ends. */
type OpenCall = { -readonly [Key in keyof RecordedCall]: RecordedCall[Key] }

/** Records the calls of a store's operations. Fails calls for which a test has queued an error. */
export function createCallRecord() {
  let calls: OpenCall[] = []
  const failures = new Map<EndpointName, Error[]>()

  return {
    /** Returns a copy of the recorded calls. Later calls do not change the copy. */
    list: (): readonly RecordedCall[] => calls.map((call) => ({ ...call, input: { ...call.input } })),

    /**
     * Runs an operation and records its outcome. If `failNext` has queued an error, throws the error without running
     * the operation.
     */
    run<Result>(operation: EndpointName, input: object, work: () => Result): Result {
      const call: OpenCall = { operation, input: { ...input }, outcome: 'running' }
      calls.push(call)
      if (calls.length > maxCalls) calls.shift()
      const succeed = () => void (call.outcome = 'success')
      const fail = (error: unknown) => void (call.outcome = isStoreError(error) ? error.code : 'internal_error')
      try {
        const failure = failures.get(operation)?.shift()
        if (failure !== undefined) throw failure
        const result = work()
        if (result instanceof Promise) result.then(succeed, fail)
        else succeed()
        return result
      } catch (error) {
        fail(error)
        throw error
      }
    },

    /** Queues an error for an operation. Throws TypeError for an invalid name or code. */
    failNext(operation: EndpointName, error: ErrorCode | Error): void {
      if (!isEndpointName(operation)) {
        throw new TypeError(`failNext: ${operation} is not an operation. Use one of ${endpointNames.join(', ')}.`)
      }
      const failure = error instanceof Error ? error : new StoreError(error)
      failures.set(operation, [...(failures.get(operation) ?? []), failure])
    },

    /** Removes the recorded calls and the queued errors. */
    reset(): void {
      calls = []
      failures.clear()
    },
  }
}

/** Maximum number of records. */
const maxRecords = 1000

/** Creates a storage for the latest click records. */
export function createClickRecords(): ClickRecords & { clear(): void } {
  let records: ClickRecord[] = []
  return {
    recordClick: async (record) => {
      records.push(record)
      if (records.length > maxRecords) records.shift()
    },
    clickRecords: async ({ email, requestId, failed = false, since, limit = maxRecords } = {}) =>
      records
        .filter(
          (record) =>
            (email === undefined || emailKey(record.email) === emailKey(email)) &&
            (requestId === undefined || record.requestId === requestId) &&
            (!failed || record.status >= 400) &&
            (since === undefined || record.time >= since.toISOString()),
        )
        .slice(-limit),
    eraseClickRecords: async (email) => {
      const before = records.length
      records = records.filter((record) => emailKey(record.email) !== emailKey(email))
      return before - records.length
    },
    clear: () => {
      records = []
    },
  }
}
