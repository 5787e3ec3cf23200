import { wireItemId } from '@storeport/rules'
import { listMutants } from '../list-mutants.ts'
import { at, replaceText } from '../messages.ts'
import { isAlone, withOwnIds } from '../own-ids.ts'

/** Defects in item ids. */
export const mutants = listMutants({
  several: {
    'items have the ids of their rows': withOwnIds(),
    'a one-time line takes the id of its product over from the recurring item': withOwnIds((item, items) =>
      isAlone(item, items) || item.one_time ? item.product_id : `${item.product_id}~recurring`,
    ),
    'a one-time line has the id of its product as long as it is alone': withOwnIds((item, items) =>
      isAlone(item, items) ? item.product_id : wireItemId(item),
    ),
    'items are numbered by their place, those of one product together': withOwnIds((item, items) => {
      const lines = items.filter(({ product_id }) => product_id === item.product_id)
      return `${item.product_id}-${lines.indexOf(item) + 1}-of-${lines.length}`
    }),
    'an item keeps the id of the product that it was made with': withOwnIds(createFirstNames()),
  },
  methods: {
    swapProduct: {
      'the old id still answers after a swap': (swap) => {
        const idsNow = new Map<string, string>()
        return async (input, context) => {
          const idNow = idsNow.get(input.current_item_id) ?? input.current_item_id
          await swap(input, context).catch(() => swap({ ...input, current_item_id: idNow }, context))
          idsNow.set(input.current_item_id, input.new_product_id)
        }
      },
    },
  },
  answer: {
    'items have the ids of products with a prefix, as in an API of another version': at(
      '/customer-portal/subscription',
      replaceText(/"id":"(test_)/g, '"id":"products/$1'),
    ),
  },
})

/** Creates a function that returns the original id of an item, even after a swap. */
function createFirstNames() {
  const names = new Map<string, string>()
  return (item: Parameters<typeof wireItemId>[0] & { readonly id: string }): string => {
    const name = names.get(item.id) ?? wireItemId(item)
    names.set(item.id, name)
    return name
  }
}
