import type { Columns } from './column-types.ts'

/** What lets a click count once, and what was done once. */
export function retryTables({ key, flag, instant, end }: Columns): readonly string[] {
  return [
    `create table applied_keys (
      ${key('id')} primary key,
      ${instant('expires_at')} not null
    ) ${end}`,
    `create index applied_keys_by_expiry on applied_keys (expires_at)`,

    `create table ledger_clicks (
      ${key('id')} primary key,
      ${key('customer')} not null,
      fingerprint text not null,
      ${flag('named')} not null,
      idempotency_key text not null,
      state text not null check (state in ('running', 'done', 'unknown')),
      ${instant('ends_at')} not null,
      ${instant('expires_at')} not null
    ) ${end}`,
    `create index ledger_clicks_done_of_customer on ledger_clicks (customer) where state = 'done' and not named`,
    `create index ledger_clicks_by_expiry on ledger_clicks (expires_at)`,

    `create table milestones (
      ${key('name')} primary key
    ) ${end}`,
  ]
}
