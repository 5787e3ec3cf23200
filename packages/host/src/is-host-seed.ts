import { seed } from '@storeport/rules'
import type { SqlStore } from '@storeport/store-sql'

/** Whether a database was filled with the seed of the host: it has a customer of the seed with the subscriptions that the seed gives. */
export async function isHostSeed({ account }: Pick<SqlStore, 'account'>): Promise<boolean> {
  const seeded = seed('2026-01-01').customers.find(({ subscriptions = [] }) => subscriptions.length > 0)
  const found = seeded && (await account(seeded.email))
  const ids = new Set(found?.subscriptions.map(({ id }) => id))
  return seeded?.subscriptions?.every(({ id }) => ids.has(id)) ?? false
}
