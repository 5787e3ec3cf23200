import { StoreError } from '@storeport/core'
import type { DiscountUse } from '@storeport/rules'
import type { Db } from '../db/database.ts'

/**
 * Counts the uses that came and went, so that no code is used more often than it may be, even by several customers at the same
 * moment; throws StoreError `invalid_discount_code` when one is used up.
 */
export async function countDiscountUses(
  db: Db,
  before: readonly DiscountUse[],
  after: readonly DiscountUse[],
): Promise<void> {
  const changes = new Map<string, number>()
  const count = (uses: readonly DiscountUse[], others: readonly DiscountUse[], change: number) => {
    const known = new Set(others.map(({ id }) => id))
    for (const { id, code } of uses) if (!known.has(id)) changes.set(code, (changes.get(code) ?? 0) + change)
  }
  count(after, before, 1)
  count(before, after, -1)

  // Always in the same order, so that two customers who exchange codes do not wait for each other.
  const codes = [...changes].filter(([, change]) => change !== 0).toSorted(([one], [other]) => (one < other ? -1 : 1))
  for (const [code, change] of codes) {
    const { numUpdatedRows } = await db
      .updateTable('discounts')
      .set(({ eb }) => ({ uses: eb('uses', '+', change) }))
      .where('code', '=', code)
      .where(({ eb, or, ref }) => {
        const uses = eb('uses', '+', change)
        return change > 0 ? or([eb('max_uses', 'is', null), eb(uses, '<=', ref('max_uses'))]) : eb(uses, '>=', 0)
      })
      .executeTakeFirst()
    if (numUpdatedRows === 0n && change > 0) throw new StoreError('invalid_discount_code')
  }
}
