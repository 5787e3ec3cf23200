import { emailKey, type ShopRecords } from '@storeport/rules'
import { type RawBuilder, sql } from 'kysely'

/**
 * Writes whether a database holds the seed and nobody else's data: its subscriptions are there, each its customer's, and
 * there is no other customer and no other product.
 */
export function holdsSeedAlone({ accounts, products }: ShopRecords): RawBuilder<boolean> {
  const subscriptions = accounts.flatMap(({ email, subscriptions: all }) =>
    all.map(
      ({ id }) => sql<boolean>`exists (
      select 1 from subscriptions join customers on customers.id = subscriptions.customer_id
      where subscriptions.id = ${id} and customers.email_key = ${emailKey(email)})`,
    ),
  )
  // Without a subscription nothing would tell the seed from an empty shop.
  if (subscriptions.length === 0) return sql<boolean>`(1 = 0)`
  return sql<boolean>`(${sql.join(subscriptions, sql` and `)}
    and not exists (select 1 from customers where email_key not in (${sql.join(accounts.map(({ email }) => emailKey(email)))}))
    and not exists (select 1 from products where id not in (${sql.join(products.map(({ id }) => id))})))`
}
