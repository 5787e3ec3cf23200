import { StoreError, type SwapProductInput } from '@storeport/core'
import { addProduct, type Item, type Shop, soonest, swapProduct, undoAddProduct, wireItemId } from '@storeport/rules'
import { doubleAmounts, freezeUse, withItem, withItems, withSubscriptions } from './accounts.ts'
import { listMutants } from './list-mutants.ts'
import { at, done, failure, fieldsOf, fieldsOfQuery, isTo, of, withFields, withHeader } from './messages.ts'

/** Defects in additions, undos and swaps. */
export const mutants = listMutants({
  rules: {
    addProduct: {
      'an add is answered, and nothing is done': (account) => account,
      'a one-time line has no limit': (account, input, shop) =>
        addProduct(account, input, input.one_time ? { ...shop, max_quantity: 1_000_000 } : shop),
      'every add is made twice': (account, input, shop) => addProduct(addProduct(account, input, shop), input, shop),
      'a product that does not exist can be added': (account, input, shop) =>
        shop.product(input.product_id) ? addProduct(account, input, shop) : account,
      'what is sold out can be added': (account, input, shop) => addProduct(account, input, offerAll(shop)),
    },
    undoAddProduct: {
      'an undo is answered, and nothing is done': (account) => account,
      'nothing to undo is a success': (account, input, shop) =>
        account.adds.some((add) => add.product_id === input.product_id)
          ? undoAddProduct(account, input, shop)
          : account,
      'after an order, nothing to undo is a success': (account, input, shop) =>
        account.subscriptions.length > 0 && account.orders.length > 0 && account.adds.length === 0
          ? account
          : undoAddProduct(account, input, shop),
    },
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
    addProduct: {
      'the quantity of an add is ignored': (input) => ({ ...input, quantity: 1 }),
      'one-time adds are for good': (input) => ({ ...input, one_time: false }),
      'a customer without a subscription cannot add anything': (input, { account }) => {
        if (account.subscriptions.length === 0) throw new StoreError('subscription_not_found')
        return input
      },
      'a one-time add of a customer without a subscription is an order': (input, { account }) =>
        account.subscriptions.length === 0 ? { ...input, one_time: false } : input,
      'a discount code has no effect': (input) => ({ ...input, discount_code: undefined }),
      'a code that is not valid is ignored': (input) => {
        const isValid = ['test10', 'fiveoff'].includes((input.discount_code ?? '').trim().toLowerCase())
        return isValid ? input : { ...input, discount_code: undefined }
      },
      'the code `0` counts as empty': (input) =>
        input.discount_code === '0' ? { ...input, discount_code: undefined } : input,
      'codes are compared letter by letter': (input) => {
        if (/[a-z ]/.test(input.discount_code ?? '')) throw new StoreError('invalid_discount_code')
        return input
      },
    },
    undoAddProduct: {
      'an undo takes back the last add, whatever the product': (input, { account }) => {
        const { product_id } = account.adds.at(-1) ?? input
        return { ...input, product_id }
      },
    },
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
  accounts: {
    getSubscription: {
      'one-time lines are not shown': (account) => withItems(account, (item) => (item.one_time ? [] : [item])),
    },
    undoAddProduct: {
      'an undo takes back the first add': (account) => ({ ...account, adds: account.adds.toReversed() }),
      'an undo searches the current subscription alone': (account) => {
        const [current] = account.subscriptions.toSorted((one, other) =>
          (one.next_billing_date ?? '') < (other.next_billing_date ?? '') ? -1 : 1,
        )
        const adds = account.adds.filter((add) => add.order_id !== null || add.subscription_id === current?.id)
        return { ...account, adds }
      },
    },
  },
  results: {
    addProduct: {
      'a fixed amount is taken off twice': doubleAmounts,
      'only the last five additions can be undone': (added) => ({ ...added, adds: added.adds.slice(-5) }),
    },
    undoAddProduct: {
      'an undo leaves the discount': (result, { account }) => ({
        ...result,
        discount_uses: account.discount_uses.map((use) => freezeUse(use, account)),
      }),
    },
    getSubscription: {
      'the discount of an order is at most 99.99': (result) => ({
        ...result,
        order_discount_total: Math.min(result.order_discount_total ?? 0, 99.99),
      }),
      'the price of a whole line is sent': (subscription) => ({
        ...subscription,
        items: subscription.items.map((item) => ({ ...item, price: item.price * item.quantity })),
      }),
    },
    swapProduct: {
      'a swapped-away add can still be taken back': (swapped, { account }) => {
        const adds = account.adds.map((add) => ({
          ...add,
          item_id: soonest(swapped.subscriptions)?.items[0]?.id ?? null,
        }))
        return { ...swapped, adds: swapped.adds.length < account.adds.length ? adds : swapped.adds }
      },
      'a swap sets the quantity to 1': (result, { input }) => withItem(result, idAfter(input), { quantity: 1 }),
      'a swap keeps the old price': (result, { input }) => withItem(result, idAfter(input), { price_minor: 1995 }),
      'a swap into the same product is refused': (swapped, { account }) => {
        if (swapped === account) throw new StoreError('product_unavailable')
        return swapped
      },
      'a one-time line becomes a recurring one when it is swapped': (result, { input }) =>
        withItem(result, idAfter(input), { one_time: false }),
    },
  },
  methods: {
    addProduct: {
      'an add is made before its code is checked': (add) => async (input, context) => {
        if (input.discount_code === 'NO-SUCH-CODE') await add({ ...input, discount_code: undefined }, context)
        await add(input, context)
      },
    },
    undoAddProduct: {
      'refusals are remembered': (undo) => {
        const refused = new Set<string>()
        return async (input, context) => {
          const click = JSON.stringify(input)
          if (refused.has(click)) throw new StoreError('product_not_in_order')
          await undo(input, context).catch((error: unknown) => {
            refused.add(click)
            throw error
          })
        }
      },
    },
  },
  shop: {
    'the line that results has no limit': () => ({ max_quantity: 1_000_000 }),
  },
  request: {
    'an undo ignores the test-mode header': (sent) =>
      isTo(sent, 'undoAddProduct') ? withHeader(sent, 'X-Integration-Test-Mode') : sent,
    'the product is looked up before the customer': (sent) =>
      /nobody.*no-such-product/.test(sent.body ?? '') ? failure(404, 'product_not_found') : sent,
    'a quantity in the query replaces a missing quantity': (sent) => {
      const quantity = Number(fieldsOfQuery(sent)['quantity'])
      return quantity > 0 && isTo(sent, 'addProduct') ? withFields(sent, (all) => ({ quantity, ...all })) : sent
    },
    'a missing quantity is 0, which adds nothing': (sent) => {
      const { email, product_id, quantity } = fieldsOf(sent)
      const isBare = isTo(sent, 'addProduct') && product_id !== undefined && quantity === undefined
      return isBare && email === 'subscription@example.com' ? done : sent
    },
    'without the flag an add is for the next order only': (sent) =>
      isTo(sent, 'addProduct') ? withFields(sent, (all) => ({ one_time: true, ...all })) : sent,
  },
  bodies: {
    'amounts are rounded down': [/"((?:discount|order)_[a-z_]+)":(\d+)\.\d+/g, '"$1":$2'],
  },
  answer: {
    'an action answers 204 without a body': at(
      '/add-product',
      of(200, (answered) => ({ ...answered, status: 204, body: '' })),
    ),
    'a customer without a subscription cannot be distinguished from an unknown one in a swap': at(
      '/swap-product',
      (answered) => ({ ...answered, body: answered.body.replace('customer_not_found', 'item_not_found') }),
    ),
  },
})

function offerAll(shop: Shop): Shop {
  const available = (id: string) => {
    const product = shop.product(id)
    return product && { ...product, available: true }
  }
  return { ...shop, product: available }
}

/** Returns the id of an item after its swap. */
function idAfter({ current_item_id, new_product_id }: SwapProductInput): string {
  return wireItemId({ product_id: new_product_id, one_time: current_item_id.endsWith('~once') })
}
