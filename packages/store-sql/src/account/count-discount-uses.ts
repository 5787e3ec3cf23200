import { StoreError } from '@storeport/core'
import type { DiscountUse } from '@storeport/rules'
import type { Write, WriteForm } from '../db/writes.ts'

const moreUses: WriteForm = {
  name: 'more_uses',
  write: (_, parameter) =>
    `update discounts set uses = uses + ${parameter(1)}
      where code = ${parameter(2)} and (max_uses is null or uses + ${parameter(1)} <= max_uses)`,
}
const fewerUses: WriteForm = {
  name: 'fewer_uses',
  write: (_, parameter) =>
    `update discounts set uses = uses - ${parameter(1)} where code = ${parameter(2)} and uses >= ${parameter(1)}`,
}

/**
 * Counts the uses that came and went, so that no code is used more often than it may be, even by several customers at the same
 * moment; the write throws StoreError `invalid_discount_code` when one is used up.
 */
export function countDiscountUses(before: readonly DiscountUse[], after: readonly DiscountUse[]): readonly Write[] {
  if (after === before) return []
  const changes = new Map<string, number>()
  const count = (uses: readonly DiscountUse[], others: readonly DiscountUse[], change: number) => {
    const known = new Set(others.map(({ id }) => id))
    for (const { id, code } of uses) if (!known.has(id)) changes.set(code, (changes.get(code) ?? 0) + change)
  }
  count(after, before, 1)
  count(before, after, -1)

  // Always in the same order, so that two customers who exchange codes do not wait for each other.
  const codes = [...changes].filter(([, change]) => change !== 0).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return codes.map(([code, change]) =>
    change < 0
      ? { form: fewerUses, parameters: [-change, code] }
      : { form: moreUses, parameters: [change, code], refuse: () => new StoreError('invalid_discount_code') },
  )
}
