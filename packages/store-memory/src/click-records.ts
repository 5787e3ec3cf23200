import type { ClickRecord, ClickRecords } from '@storeport/core'
import { emailKey } from '@storeport/rules'

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
