import { wireItemId } from '@storeport/rules'
import { at, replaceText } from '../messages.ts'
import type { Mutant } from '../mutant.ts'
import { withOwnIds } from '../own-ids.ts'

/** What names an item. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'items have the ids of their rows',
    caughtBy: 'addProduct.names-the-item-by-its-product',
    rules: withOwnIds(),
  },
  {
    defect: 'items have the ids of products with a prefix, as in an API of another version',
    caughtBy: 'addProduct.names-the-item-by-its-product',
    answer: at('/customer-portal/subscription', replaceText(/"id":"(test_)/g, '"id":"products/$1')),
  },
  {
    defect: 'a one-time line takes the id of its product over from the recurring item',
    caughtBy: 'addProduct.renames-no-item',
    rules: withOwnIds((item, items) => {
      const isAlone = items.every((other) => other === item || other.product_id !== item.product_id)
      return isAlone || item.one_time ? item.product_id : `${item.product_id}~recurring`
    }),
  },
  {
    defect: 'a one-time line has the id of its product as long as it is alone',
    caughtBy: 'addProduct.renames-no-item',
    rules: withOwnIds((item, items) => {
      const isAlone = items.every((other) => other === item || other.product_id !== item.product_id)
      return isAlone ? item.product_id : wireItemId(item)
    }),
  },
  {
    defect: 'items are numbered by their place, those of one product together',
    caughtBy: 'addProduct.renames-no-item',
    rules: withOwnIds((item, items) => {
      const lines = items.filter(({ product_id }) => product_id === item.product_id)
      return `${item.product_id}-${lines.indexOf(item) + 1}-of-${lines.length}`
    }),
  },
  {
    defect: 'the old id still answers after a swap',
    caughtBy: 'swapProduct.names-the-item-by-the-new-product',
    store: ({ swapProduct: swap }) => {
      const idsNow = new Map<string, string>()
      return {
        swapProduct: async (input, context) => {
          const idNow = idsNow.get(input.current_item_id) ?? input.current_item_id
          await swap(input, context).catch(() => swap({ ...input, current_item_id: idNow }, context))
          idsNow.set(input.current_item_id, input.new_product_id)
        },
      }
    },
  },
  {
    defect: 'an item keeps the id of the product that it was made with',
    caughtBy: 'swapProduct.names-the-item-by-the-new-product',
    rules: withOwnIds(createFirstNames()),
  },
]

/** Names items by the products that they had when they were first seen. */
function createFirstNames() {
  const names = new Map<string, string>()
  return (item: Parameters<typeof wireItemId>[0] & { readonly id: string }): string => {
    const name = names.get(item.id) ?? wireItemId(item)
    names.set(item.id, name)
    return name
  }
}
