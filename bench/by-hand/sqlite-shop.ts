import Database from 'libsql'
import { addToItem, type FoundByHand, writeFind } from './add-to-item.ts'
import type { AddByHand } from './answer-add.ts'
import { clickTable, clickTimes } from './click.ts'

/** A click that a repeat does not replay any more is kept anew; every other conflict changes no row. */
const keepClick = `
  insert into clicks_by_hand (id, customer, fingerprint, named, state, idempotency_key, try_key,
      ordinal, first_try_at, since, until, expires_at)
    values (?1, ?2, ?1, 0, 'done', ?3, ?3,
      max(?4, 1 + coalesce((select max(ordinal) from clicks_by_hand where customer = ?2), 0)), ?4, ?4, ?4 + ?5, ?4 + ?6)
  on conflict (id) do update set idempotency_key = excluded.idempotency_key, try_key = excluded.try_key,
      ordinal = excluded.ordinal, first_try_at = excluded.first_try_at, since = excluded.since, until = excluded.until,
      expires_at = excluded.expires_at
    where until <= ?4 - ?7 or since - ?8 >= ?4 - ?7
      or exists (select 1 from clicks_by_hand as later where later.customer = ?2 and later.ordinal > clicks_by_hand.ordinal)`

const writeItem = `
  insert into items (id, subscription_id, product_id, quantity, price_minor, one_time, position)
    values (?, ?, ?, ?, ?, ?, ?) on conflict (id) do update set quantity = excluded.quantity`

const writeAdd = `
  insert into open_adds (id, customer_id, product_id, quantity, subscription_id, item_id, position)
    values (?, ?, ?, ?, ?, ?, ?)`

/** Opens a SQLite file of a store as one would by hand; every statement is prepared once. */
export function openSqliteByHand(file: string, today: string): AddByHand {
  const database = new Database(file, { timeout: 5000 })
  // What the store sets, too: the same file, and the same durability.
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = full')
  database.exec('pragma foreign_keys = on')
  database.exec('pragma cache_size = -16000')
  database.exec('pragma mmap_size = 0')
  database.exec(clickTable('integer'))
  const keep = database.prepare(keepClick)
  const read = database.prepare(writeFind('?'))
  const insertItem = database.prepare(writeItem)
  const insertAdd = database.prepare(writeAdd)

  return (input, { id, customer, tryKey, arrivedAt }) => {
    const { windowMs, keptMs, leaseMs } = clickTimes
    database.exec('begin immediate')
    try {
      const waitedMs = performance.now() - arrivedAt
      const isNew = keep.run(id, customer, tryKey, Date.now(), windowMs, keptMs, waitedMs, leaseMs).changes > 0
      if (isNew) {
        const [row] = read.all(input.email.toLowerCase(), input.product_id, input.one_time ? 1 : 0)
        // oxlint-disable-next-line typescript/consistent-type-assertions -- the columns are those of the statement
        const { item, add } = addToItem(row as FoundByHand | undefined, input, today)
        const [itemId, subscriptionId, productId, quantity, price, oneTime, position] = item
        insertItem.run(itemId, subscriptionId, productId, quantity, price, oneTime ? 1 : 0, position)
        insertAdd.run(...add)
      }
      database.exec(isNew ? 'commit' : 'rollback')
    } catch (error) {
      if (database.inTransaction) database.exec('rollback')
      throw error
    }
  }
}
