import { StoreError, type SwapProductInput } from '@storeport/core'
import { addProduct, type Item, swapProduct, wireItemId } from '@storeport/rules'
import { itemsOf, nextOf, withItem } from './accounts.ts'
import { at } from './messages.ts'
import type { Mutant } from './mutant.ts'

/** Swapping an item for another product. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'a swap adds the new product and keeps the old one',
    caughtBy: 'swapProduct.replaces-an-item',
    rules: {
      swapProduct: (account, { email, new_product_id: product_id }, shop) =>
        addProduct(account, { email, product_id, quantity: 1, one_time: false }, shop),
    },
  },
  {
    defect: 'a swap sets the quantity to 1',
    caughtBy: 'swapProduct.replaces-an-item',
    rules: {
      swapProduct: (account, input, shop) =>
        withItem(swapProduct(account, input, shop), idAfter(input), { quantity: 1 }),
    },
  },
  {
    defect: 'a swap keeps the old price',
    caughtBy: 'swapProduct.replaces-an-item',
    rules: {
      swapProduct: (account, input, shop) =>
        withItem(swapProduct(account, input, shop), idAfter(input), { price_minor: 1995 }),
    },
  },
  {
    defect: 'a swapped item moves to the end',
    caughtBy: 'swapProduct.replaces-an-item',
    rules: {
      swapProduct: (account, input, shop) => {
        const isIt = (item: Item) => wireItemId(item) === idAfter(input)
        const swapped = swapProduct(account, input, shop)
        return {
          ...swapped,
          subscriptions: swapped.subscriptions.map((one) => ({
            ...one,
            items: one.items.toSorted((a, b) => Number(isIt(a)) - Number(isIt(b))),
          })),
        }
      },
    },
  },
  {
    defect: 'a swap into the same product is refused',
    caughtBy: 'swapProduct.changes-nothing-into-itself',
    rules: {
      swapProduct: (account, input, shop) => {
        const swapped = swapProduct(account, input, shop)
        if (swapped === account) throw new StoreError('product_unavailable')
        return swapped
      },
    },
  },
  {
    defect: 'a swap into a product that is there already leaves two lines',
    caughtBy: 'swapProduct.joins-items-of-one-product',
    rules: {
      swapProduct: (account, input, shop) => {
        const swapped = swapProduct(account, input, shop)
        const isJoined = itemsOf(swapped) < itemsOf(account)
        return isJoined ? withItem(account, input.current_item_id, { product_id: input.new_product_id }) : swapped
      },
    },
  },
  {
    defect: 'an item that does not exist is swapped without a word',
    caughtBy: 'swapProduct.knows-its-items',
    rules: {
      swapProduct: (account, input, shop) => {
        const isThere = nextOf(account)?.items.some((item) => wireItemId(item) === input.current_item_id) ?? true
        return isThere ? swapProduct(account, input, shop) : account
      },
    },
  },
  {
    defect: 'a product that is no item is taken for the first item',
    caughtBy: 'swapProduct.knows-its-items',
    rules: {
      swapProduct: (account, input, shop) => {
        const items = nextOf(account)?.items ?? []
        const [first] = items
        const isItem = items.some((item) => wireItemId(item) === input.current_item_id)
        const isOther = first !== undefined && !isItem && shop.product(input.current_item_id) !== undefined
        return swapProduct(account, isOther ? { ...input, current_item_id: wireItemId(first) } : input, shop)
      },
    },
  },
  {
    defect: 'a swap changes the item of that id in every subscription of the customer',
    caughtBy: 'swapProduct.changes-no-other-subscription',
    rules: {
      swapProduct: (account, input, shop) => {
        const { new_product_id: product_id } = input
        const price_minor = shop.product(product_id)?.price_minor ?? 0
        return withItem(swapProduct(account, input, shop), input.current_item_id, { product_id, price_minor })
      },
    },
  },
  {
    defect: 'items of any subscription can be swapped',
    caughtBy: 'swapProduct.knows-its-items',
    rules: {
      swapProduct: (account, input, shop) => {
        const [subscription] = account.subscriptions.filter(({ items }) =>
          items.some((item) => wireItemId(item) === input.current_item_id),
        )
        const others = account.subscriptions.filter((one) => one !== subscription)
        if (subscription?.status !== 'active') return swapProduct(account, input, shop)
        const swapped = swapProduct({ ...account, subscriptions: [subscription] }, input, shop)
        return { ...swapped, subscriptions: [...swapped.subscriptions, ...others] }
      },
    },
  },
  {
    defect: 'a product that is sold out can be swapped in',
    caughtBy: 'swapProduct.refuses-what-cannot-be-ordered',
    rules: {
      swapProduct: (account, input, shop) =>
        shop.product(input.new_product_id)?.available === false ? account : swapProduct(account, input, shop),
    },
  },
  {
    defect: 'the code of a swap is not checked',
    caughtBy: 'swapProduct.takes-a-percentage-off',
    rules: {
      swapProduct: (account, input, shop) => swapProduct(account, { ...input, discount_code: undefined }, shop),
    },
  },
  {
    defect: 'a bad code of a swap is ignored',
    caughtBy: 'swapProduct.refuses-a-bad-code',
    rules: {
      swapProduct: (account, input, shop) =>
        swapProduct(
          account,
          { ...input, discount_code: input.discount_code === 'TEST10' ? 'TEST10' : undefined },
          shop,
        ),
    },
  },
  {
    defect: 'a one-time line becomes a recurring one when it is swapped',
    caughtBy: 'swapProduct.keeps-one-time-lines-apart',
    rules: {
      swapProduct: (account, input, shop) =>
        withItem(swapProduct(account, input, shop), idAfter(input), { one_time: false }),
    },
  },
  {
    defect: 'a customer without a subscription cannot be distinguished from an unknown one in a swap',
    caughtBy: 'swapProduct.knows-its-customers',
    answer: at('/swap-product', (answered) => ({
      ...answered,
      body: answered.body.replace('customer_not_found', 'item_not_found'),
    })),
  },
]

/** The id that an item has after its swap. */
function idAfter({ current_item_id, new_product_id }: SwapProductInput): string {
  return wireItemId({ product_id: new_product_id, one_time: current_item_id.endsWith('~once') })
}
