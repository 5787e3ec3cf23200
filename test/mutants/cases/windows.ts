import { StoreError } from '@storeport/core'
import { listMutants } from '../list-mutants.ts'
import { header, withHeader } from '../messages.ts'
import { clock, type Mutant } from '../mutant.ts'

/** Defects that show some seconds after a click. */
export const mutants = listMutants({
  options: {
    'the window of addProduct is 5 s': { retries: { windows: { addProduct: 5_000 } } },
    'a click is forgotten after 2 s': { retries: { windows: { addProduct: 2_000 } } },
  },
  request: {
    'a click with a key is forgotten after 10 s': forgetKeysAfter(10_000),
  },
  several: {
    'an addition can be undone for 3 s': undoOnlyWithin(3_000),
  },
})

/** Simulates a shop that undoes only recent additions. */
function undoOnlyWithin(ms: number): Pick<Mutant, 'store'> {
  const added = new Map<string, number>()
  return {
    store: ({ addProduct, undoAddProduct }) => ({
      addProduct: async (input, context) => {
        await addProduct(input, context)
        added.set(input.product_id, clock.now())
      },
      undoAddProduct: async (input, context) => {
        if (clock.now() - (added.get(input.product_id) ?? Infinity) > ms) throw new StoreError('product_not_in_order')
        await undoAddProduct(input, context)
      },
    }),
  }
}

/** Simulates a shop that stores a key for some time. */
function forgetKeysAfter(ms: number): NonNullable<Mutant['request']> {
  const first = new Map<string, number>()
  return (sent) => {
    const key = header(sent, 'Idempotency-Key')
    if (key === undefined) return sent
    const since = first.get(key) ?? clock.now()
    first.set(key, since)
    return clock.now() - since > ms ? withHeader(sent, 'Idempotency-Key', `${key}-again`) : sent
  }
}
