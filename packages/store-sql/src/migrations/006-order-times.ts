import type { Columns } from './column-types.ts'

/** When the last order of a customer was made, to the millisecond: the day alone lets a second one go just after midnight. */
export function orderTimes({ instant }: Columns): readonly string[] {
  return [`alter table customers add column ${instant('last_sent_at')}`]
}
