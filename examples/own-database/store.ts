import { type CompleteStorePort, createSqlLedger, StoreError, storesClicks } from '@storeport/core'
import { bindRules, codeKey, emailKey, findNamed, type NamedInput, readShopOptions } from '@storeport/rules'
import type pg from 'pg'
import { actions } from './actions.ts'
import { pool, runOn, transact } from './database.ts'
import { load, type Loaded } from './load.ts'
import { save } from './save.ts'

/** Stores the clicks of all processes in the table `storeport_clicks`. */
export const clicks = createSqlLedger({ dialect: 'postgres', run: runOn(pool) })

export const { today, currency, createShop } = readShopOptions({ timeZone: 'Europe/Berlin', currency: 'EUR' })

/** Creates the shop of a rule: date, products, discount code and new ids. */
export function shopOf({ at, products, discount }: Loaded) {
  return createShop({
    at,
    product: (id) => products.find((product) => product.id === id),
    offered: () => products.filter(({ available }) => available !== 0),
    discount: () => discount ?? undefined,
    newId: () => crypto.randomUUID(),
  })
}

/** Locks the rows that concurrent changes must not use, until the transaction ends. */
export async function lock(client: pg.PoolClient, { email = '', discount_code }: NamedInput): Promise<void> {
  const key = emailKey(email)
  await client.query('select 1 from customers where lower(email) = $1 for update', [key])
  const openOrders = `select 1 from orders o join customers c on c.id = customer_id
    where lower(email) = $1 and status = 'open' for update of o`
  await client.query(openOrders, [key])
  // Two customers could otherwise use a code for the last time.
  const coupon = 'select 1 from coupons where lower(code) = $1 and max_uses is not null for update'
  if (discount_code !== undefined) await client.query(coupon, [codeKey(discount_code)])
}

export const store: CompleteStorePort = {
  ...bindRules({
    read: async (name, input, _context, rule) => {
      const loaded = await load(pool, findNamed(name, input), name === 'listProducts')
      return rule(loaded.account ?? undefined, input, shopOf(loaded))
    },

    storesClicks: true,
    change: (name, input, context, rule) =>
      transact((client) =>
        clicks.once(runOn(client), context, async () => {
          const named = findNamed(name, input)
          await lock(client, named)
          const loaded = await load(client, named, false)
          const { account, customer_id } = loaded
          const after = rule(account ?? undefined, input, shopOf(loaded))
          if (account !== null && customer_id !== null) await save(client, customer_id, account, after)
        }),
      ),
  }),

  runCustomAction: storesClicks(async ({ email, action_id }, context) => {
    await transact((client) =>
      clicks.once(runOn(client), context, async () => {
        const { customer_id } = await load(client, { email }, false)
        if (customer_id === null) throw new StoreError('customer_not_found')
        const run = actions.get(action_id)
        if (run === undefined) throw new StoreError('action_not_found')
        await client.query('insert into action_log (customer_id, action) values ($1, $2)', [customer_id, action_id])
        await run(client, customer_id)
      }),
    )
  }),
}
