import { StoreError, type SwapProductInput } from '@storeport/core'
import { addProduct, type Item, swapProduct, wireItemId, soonest } from '@storeport/rules'
import { linesOf, withItem, withSubscriptions } from './accounts.ts'
import { at } from './messages.ts'
import { listMutants } from './list-mutants.ts'

export const mutants = listMutants({
  rules: {
    swapProduct: {
      'a swap adds the new product and keeps the old one': (account, { email, new_product_id: product_id }, shop) =>
        addProduct(account, { email, product_id, quantity: 1, one_time: false }, shop),
      'a swapped item moves to the end': (account, input, shop) => {
        const isIt = (item: Item) => wireItemId(item) === idAfter(input)
        const swapped = swapProduct(account, input, shop)
        return withSubscriptions(swapped, (one) => ({
          ...one,
          items: one.items.toSorted((a, b) => Number(isIt(a)) - Number(isIt(b))),
        }))
      },
      'an item that does not exist is swapped without a word': (account, input, shop) => {
        const isThere =
          soonest(account.subscriptions)?.items.some((item) => wireItemId(item) === input.current_item_id) ?? true
        return isThere ? swapProduct(account, input, shop) : account
      },
      'a swap changes the item of that id in every subscription of the customer': (account, input, shop) => {
        const { new_product_id: product_id } = input
        const price_minor = shop.product(product_id)?.price_minor ?? 0
        return withItem(swapProduct(account, input, shop), input.current_item_id, { product_id, price_minor })
      },
      'items of any subscription can be swapped': (account, input, shop) => {
        const [subscription] = account.subscriptions.filter(({ items }) =>
          items.some((item) => wireItemId(item) === input.current_item_id),
        )
        const others = account.subscriptions.filter((one) => one !== subscription)
        if (subscription?.status !== 'active') return swapProduct(account, input, shop)
        const swapped = swapProduct({ ...account, subscriptions: [subscription] }, input, shop)
        return { ...swapped, subscriptions: [...swapped.subscriptions, ...others] }
      },
      'a swap can exceed the maximum quantity': (account, input, shop) =>
        swapProduct(account, input, { ...shop, max_quantity: 1_000_000 }),
      'a swap to the same product does not check the code': (account, input, shop) => {
        const isSame = input.current_item_id === input.new_product_id
        return swapProduct(account, isSame ? { ...input, discount_code: undefined } : input, shop)
      },
      'a product that is sold out can be swapped in': (account, input, shop) =>
        shop.product(input.new_product_id)?.available === false ? account : swapProduct(account, input, shop),
    },
  },
  inputs: {
    swapProduct: {
      'a product that is not an item is replaced by the first item': (input, { account, shop }) => {
        const items = soonest(account.subscriptions)?.items ?? []
        const [first] = items
        const isItem = items.some((item) => wireItemId(item) === input.current_item_id)
        const isOther = first !== undefined && !isItem && shop.product(input.current_item_id) !== undefined
        return isOther ? { ...input, current_item_id: wireItemId(first) } : input
      },
      'an expired code is ignored in a swap of a one-time line': (input) =>
        input.current_item_id.endsWith('~once') && input.discount_code === 'EXPIRED5'
          ? { ...input, discount_code: undefined }
          : input,
      'the code of a swap is not checked': (input) => ({ ...input, discount_code: undefined }),
      'a bad code of a swap is ignored': (input) => ({
        ...input,
        discount_code: input.discount_code === 'TEST10' ? 'TEST10' : undefined,
      }),
    },
  },
  results: {
    swapProduct: {
      'a swap sets the quantity to 1': (result, { input }) => withItem(result, idAfter(input), { quantity: 1 }),
      'a swap keeps the old price': (result, { input }) => withItem(result, idAfter(input), { price_minor: 1995 }),
      'a swap into the same product is refused': (swapped, { account }) => {
        if (swapped === account) throw new StoreError('product_unavailable')
        return swapped
      },
      'a swap into a product that is there already leaves two lines': (swapped, { account, input }) => {
        const isJoined = linesOf(swapped).length < linesOf(account).length
        return isJoined ? withItem(account, input.current_item_id, { product_id: input.new_product_id }) : swapped
      },
      'a one-time line becomes a recurring one when it is swapped': (result, { input }) =>
        withItem(result, idAfter(input), { one_time: false }),
    },
  },
  answer: {
    'a customer without a subscription cannot be distinguished from an unknown one in a swap': at(
      '/swap-product',
      (answered) => ({ ...answered, body: answered.body.replace('customer_not_found', 'item_not_found') }),
    ),
  },
})

/** Returns the id of an item after its swap. */
function idAfter({ current_item_id, new_product_id }: SwapProductInput): string {
  return wireItemId({ product_id: new_product_id, one_time: current_item_id.endsWith('~once') })
}
