import pg from 'pg'
import { addToItem, type FoundByHand, writeFind } from './add-to-item.ts'
import type { AddByHand } from './answer-add.ts'
import { clickTable, clickTimes } from './click.ts'

/** A statement of its own: what a statement reads that has waited for a lock is older than the lock. */
const lockCustomer = 'update customers set version = version + 1 where email_key = $1'

/** A click that a repeat does not replay any more is kept anew; every other conflict changes no row. */
const keepClick = `
  insert into clicks_by_hand (id, customer, fingerprint, named, state, idempotency_key, try_key,
      ordinal, first_try_at, since, until, expires_at)
    select $1, $2, $1, 0, 'done', $3, $3,
      greatest(now, 1 + coalesce((select max(ordinal) from clicks_by_hand where customer = $2), 0)), now, now,
      now + $4::bigint, now + $5::bigint
    from (select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now) as clock
  on conflict (id) do update set idempotency_key = excluded.idempotency_key, try_key = excluded.try_key,
      ordinal = excluded.ordinal, first_try_at = excluded.first_try_at, since = excluded.since, until = excluded.until,
      expires_at = excluded.expires_at
    where clicks_by_hand.until <= excluded.since - $6::float8 or clicks_by_hand.since - $7::bigint >= excluded.since - $6::float8
      or exists (select 1 from clicks_by_hand as later where later.customer = $2 and later.ordinal > clicks_by_hand.ordinal)`

const find = writeFind('$')

const write = `
  with item as (
    insert into items (id, subscription_id, product_id, quantity, price_minor, one_time, position)
      values ($1, $2, $3, $4, $5, $6, $7) on conflict (id) do update set quantity = excluded.quantity)
  insert into open_adds (id, customer_id, product_id, quantity, subscription_id, item_id, position)
    values ($8, $9, $10, $11, $12, $13, $14)`

/** Opens a PostgreSQL database of a store as one would by hand; every statement is prepared once on each connection. */
export function openPostgresByHand(url: string, today: string): AddByHand {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.DATE, String)
  const limits = { statement_timeout: 5000, query_timeout: 6000 }
  const pool = new pg.Pool({ connectionString: url, application_name: 'by hand', max: 10, types, ...limits })

  const ready = pool.query(clickTable('bigint'))

  return async (input, { id, customer, tryKey, arrivedAt }) => {
    await ready
    const { windowMs, keptMs, leaseMs } = clickTimes
    const email = input.email.toLowerCase()
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query({ name: 'lock', text: lockCustomer, values: [email] })
      const waitedMs = performance.now() - arrivedAt
      const kept = await client.query({
        name: 'keep',
        text: keepClick,
        values: [id, customer, tryKey, windowMs, keptMs, waitedMs, leaseMs],
      })
      const isNew = kept.rowCount === 1
      if (isNew) {
        const { rows } = await client.query<FoundByHand>({
          name: 'find',
          text: find,
          values: [email, input.product_id, input.one_time],
        })
        const { item, add } = addToItem(rows[0], input, today)
        await client.query({ name: 'write', text: write, values: [...item, ...add] })
      }
      await client.query(isNew ? 'commit' : 'rollback')
      client.release()
    } catch (error) {
      await client.query('rollback').then(
        () => client.release(),
        () => client.release(true),
      )
      throw error
    }
  }
}
