import { checkedNumber } from '../contract/names.ts'
import type { HistoryFilter, HistoryRow, HistoryStorage } from './history.ts'

/** Creates a storage in the memory of this process, for the latest `maxRecords` records; default 1,000. */
export function memoryHistory({ maxRecords = 1000 }: { readonly maxRecords?: number } = {}): HistoryStorage {
  checkedNumber('maxRecords', maxRecords, 10_000_000)
  let rows: HistoryRow[] = []
  const remove = (isRemoved: (row: HistoryRow) => boolean) => {
    const before = rows.length
    rows = rows.filter((row) => !isRemoved(row))
    return before - rows.length
  }
  return {
    isLocal: true,
    append: async (added) => {
      rows.push(...added)
      if (rows.length > maxRecords) rows = rows.slice(-maxRecords)
    },
    select: async (filter) =>
      rows
        .filter((row) => matches(row, filter))
        .toSorted((one, other) => (one.id < other.id ? 1 : -1))
        .slice(0, filter.limit),
    countByKey: async () => {
      const counts = new Map<string, number>()
      for (const { keyId } of rows) counts.set(keyId, (counts.get(keyId) ?? 0) + 1)
      return counts
    },
    erase: async (customers) => remove(({ customer }) => customers.includes(customer)),
    deleteBefore: async (id, limit) => {
      let left = limit
      return remove((row) => row.id < id && left-- > 0)
    },
  }
}

/** Whether a filter selects a row. */
function matches(row: HistoryRow, { customers, requestId, failed, from }: HistoryFilter): boolean {
  return (
    (customers === undefined || customers.includes(row.customer)) &&
    (requestId === undefined || row.failure === requestId) &&
    (failed !== true || row.failure !== null) &&
    (from === undefined || row.id >= from)
  )
}
