import type pg from 'pg'

const everyThreeMonths = `update subscriptions set every_count = 3 where customer_id = $1 and every_unit = 'month'`

/** The custom actions that emails can run. Each runs in the transaction that stores its click. */
export const actions = new Map<string, (client: pg.PoolClient, customerId: string) => Promise<unknown>>([
  // The row in `action_log` is the only effect.
  ['join_tasting', async () => {}],
  ['change_to_quarterly', (client, customerId) => client.query(everyThreeMonths, [customerId])],
])
