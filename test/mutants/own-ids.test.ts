import { collectReport, requirements, runChecks } from '@storeport/conformance'
import { expect, it } from 'vitest'
import { keys, start } from './mutant.ts'
import { type NameItem, withOwnIds } from './own-ids.ts'
import { now } from './shop-of-rules.ts'

const isAlone: (...named: Parameters<NameItem>) => boolean = (item, items) =>
  items.every((other) => other === item || other.product_id !== item.product_id)

/** Row ids that change when a second line of the product exists. */
const nameItem: NameItem = (item, items) =>
  isAlone(item, items) ? item.id : `${item.id}-${item.one_time ? 'once' : 'recurring'}`

const warnings = ['addProduct.uses-the-product-id-for-the-item', 'addProduct.keeps-the-id-of-an-item']

it('reports only warnings if item ids are not product ids', { timeout: 240_000 }, async () => {
  const send = start(withOwnIds(nameItem))
  const { results } = await collectReport(
    runChecks({
      send,
      now,
      apiKey: keys.first,
      secondApiKey: keys.second,
      mode: 'stress',
      explore: { seed: 1, timeMs: 1000 },
    }),
  )
  const failures = results.flatMap(({ check, failure }) => (failure === undefined ? [] : [{ check, failure }]))
  expect(failures.map(({ check }) => check.id)).toEqual(warnings)
  // All failures have the level "should", so the verdict is still READY.
  expect(failures.map(({ failure }) => requirements[failure.requirement]?.level)).toEqual(warnings.map(() => 'should'))
  expect(
    results.filter(({ outcome, cause }) => outcome === 'skipped' && cause?.kind !== 'excused').length,
  ).toBeLessThanOrEqual(14)
})
