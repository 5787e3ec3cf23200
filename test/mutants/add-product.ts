import { endpoints, StoreError } from '@storeport/core'
import { addProduct, type CustomerAccount, getSubscription, type Shop, undoAddProduct } from '@storeport/rules'
import { quantityOf, dropOneTimeLines, withItems } from './accounts.ts'
import { at, fieldsOf, of, refusal, type Sent, withFields } from './messages.ts'
import type { Mutant } from './mutant.ts'
import { yenShop } from './yen-shop.ts'

/** Adding a product: to the subscription, to the next order, as an order. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'an add is answered, and nothing is done',
    caughtBy: 'addProduct.adds-a-new-product',
    rules: { addProduct: (account) => account },
  },
  {
    defect: 'the quantity of an add is ignored',
    caughtBy: 'addProduct.adds-a-new-product',
    rules: { addProduct: (account, input, shop) => addProduct(account, { ...input, quantity: 1 }, shop) },
  },
  {
    defect: 'every add is made twice',
    caughtBy: 'addProduct.adds-a-new-product',
    rules: { addProduct: (account, input, shop) => addProduct(addProduct(account, input, shop), input, shop) },
  },
  {
    defect: 'an add of a product that is there already is a new line',
    caughtBy: 'addProduct.raises-the-quantity-of-an-item',
    rules: { addProduct: (account, input, shop) => splitLine(account, addProduct(account, input, shop)) },
  },
  {
    defect: 'one-time adds are for good',
    caughtBy: 'addProduct.adds-to-the-next-order-only',
    rules: { addProduct: (account, input, shop) => addProduct(account, { ...input, one_time: false }, shop) },
  },
  {
    defect: 'a product that does not exist can be added',
    caughtBy: 'addProduct.refuses-what-cannot-be-ordered',
    rules: {
      addProduct: (account, input, shop) =>
        shop.product(input.product_id) ? addProduct(account, input, shop) : account,
    },
  },
  {
    defect: 'what is sold out can be added',
    caughtBy: 'addProduct.refuses-what-cannot-be-ordered',
    rules: { addProduct: (account, input, shop) => addProduct(account, input, offerAll(shop)) },
  },
  {
    defect: 'the product is looked up before the customer',
    caughtBy: 'addProduct.knows-its-customers',
    request: (sent) => (/nobody.*no-such-product/.test(sent.body ?? '') ? refusal(404, 'product_not_found') : sent),
  },
  {
    defect: 'a customer without a subscription cannot add anything',
    caughtBy: 'addProduct.orders-at-once-without-a-subscription',
    rules: {
      addProduct: (account, input, shop) => {
        if (account.subscriptions.length === 0) throw new StoreError('subscription_not_found')
        return addProduct(account, input, shop)
      },
    },
  },
  {
    defect: 'a one-time add of a customer without a subscription is an order',
    caughtBy: 'addProduct.has-no-next-order-without-a-subscription',
    rules: {
      addProduct: (account, input, shop) => {
        return addProduct(account, account.subscriptions.length === 0 ? { ...input, one_time: false } : input, shop)
      },
    },
  },
  {
    defect: 'the line that results has no limit',
    caughtBy: 'addProduct.limits-the-line-that-results',
    shop: () => ({ max_quantity: 1_000_000 }),
  },
  {
    defect: 'a discount code has no effect',
    caughtBy: 'addProduct.takes-a-percentage-off',
    rules: { addProduct: (account, input, shop) => addProduct(account, { ...input, discount_code: undefined }, shop) },
  },
  {
    defect: 'a percentage is taken of one unit',
    caughtBy: 'addProduct.takes-a-percentage-off',
    rules: {
      addProduct: (account, input, shop) =>
        withUse(addProduct(account, input, shop), 'percentage', (amount) => amount / input.quantity),
    },
  },
  {
    defect: 'a percentage in yen is counted in hundredths of a yen',
    caughtBy: 'addProduct.takes-a-percentage-off',
    ...yenShop,
    rules: {
      addProduct: (account, input, shop) =>
        withUse(addProduct(account, input, shop), 'percentage', (amount) => amount * 100),
    },
  },
  {
    defect: 'a fixed amount is taken off for each unit',
    caughtBy: 'addProduct.takes-a-fixed-amount-off-once',
    rules: {
      addProduct: (account, input, shop) =>
        withUse(addProduct(account, input, shop), 'fixed_amount', (amount) => amount * input.quantity),
    },
  },
  {
    defect: 'a code that is not valid is ignored',
    caughtBy: 'addProduct.refuses-a-bad-code',
    rules: {
      addProduct: (account, input, shop) => {
        const isValid = ['test10', 'fiveoff'].includes((input.discount_code ?? '').trim().toLowerCase())
        return addProduct(account, isValid ? input : { ...input, discount_code: undefined }, shop)
      },
    },
  },
  {
    defect: 'codes are compared letter by letter',
    caughtBy: 'addProduct.takes-a-code-in-any-letters',
    rules: {
      addProduct: (account, input, shop) => {
        if (/[a-z ]/.test(input.discount_code ?? '')) throw new StoreError('invalid_discount_code')
        return addProduct(account, input, shop)
      },
    },
  },
  {
    defect: 'an undo leaves the discount',
    caughtBy: 'addProduct.takes-a-percentage-off',
    rules: {
      undoAddProduct: (account, input, shop) => {
        return { ...undoAddProduct(account, input, shop), discount_uses: account.discount_uses }
      },
    },
  },
  {
    defect: 'the price of a whole line is sent',
    caughtBy: 'addProduct.adds-a-new-product',
    rules: {
      getSubscription: (account, input, shop) => {
        const subscription = getSubscription(account, input, shop)
        return {
          ...subscription,
          items: subscription.items.map((item) => ({ ...item, price: item.price * item.quantity })),
        }
      },
    },
  },
  {
    defect: 'one-time lines are not shown',
    caughtBy: 'addProduct.adds-to-the-next-order-only',
    rules: { getSubscription: (account, input, shop) => getSubscription(dropOneTimeLines(account), input, shop) },
  },
  {
    defect: 'an action answers 204 without a body',
    caughtBy: 'addProduct.adds-a-new-product',
    answer: at(
      '/add-product',
      of(200, (answered) => ({ ...answered, status: 204, body: '' })),
    ),
  },
  {
    defect: 'a missing quantity is 0, which adds nothing',
    caughtBy: 'addProduct.adds-one-when-no-quantity-is-sent',
    request: (sent) => {
      const isBare = sent.path.endsWith(endpoints.addProduct.path) && 'product_id' in fieldsOf(sent)
      return isBare && !('quantity' in fieldsOf(sent)) && isKnown(sent)
        ? { ...refusal(200, ''), body: '{"success":true}' }
        : sent
    },
  },
  {
    defect: 'without the flag an add is for the next order only',
    caughtBy: 'addProduct.raises-the-quantity-of-an-item',
    request: (sent) =>
      sent.path.endsWith(endpoints.addProduct.path) ? withFields(sent, (all) => ({ one_time: true, ...all })) : sent,
  },
  {
    defect: 'the flag is called `next_cycle_only`',
    caughtBy: 'addProduct.adds-to-the-next-order-only',
    request: (sent) =>
      withFields(sent, ({ one_time: _, next_cycle_only, ...all }) => ({ ...all, one_time: next_cycle_only ?? null })),
  },
  {
    defect: 'the discount code is called `coupon`',
    caughtBy: 'addProduct.takes-a-percentage-off',
    request: (sent) =>
      withFields(sent, ({ discount_code: _, coupon, ...all }) => ({ ...all, discount_code: coupon ?? null })),
  },
  {
    defect: 'an add is made before its code is checked',
    caughtBy: 'addProduct.refuses-a-bad-code',
    store: ({ addProduct: add }) => ({
      addProduct: async (input, context) => {
        if (input.discount_code === 'NO-SUCH-CODE') await add({ ...input, discount_code: undefined }, context)
        await add(input, context)
      },
    }),
  },
]

function isKnown(sent: Sent): boolean {
  return fieldsOf(sent)['email'] === 'subscription@example.com'
}

/** What an item has grown by becomes a line of its own. */
function splitLine(before: CustomerAccount, after: CustomerAccount): CustomerAccount {
  return withItems(after, (item) => {
    const quantity = quantityOf(before, item.id) ?? item.quantity
    if (quantity === item.quantity) return [item]
    return [
      { ...item, quantity },
      { ...item, id: `${item.id}_more`, quantity: item.quantity - quantity },
    ]
  })
}

/** The last use of a discount takes another amount off. */
function withUse(account: CustomerAccount, kind: string, change: (amount: number) => number): CustomerAccount {
  const last = account.discount_uses.at(-1)
  if (last?.kind !== kind) return account
  const changed = { ...last, amount_minor: Math.round(change(last.amount_minor)) }
  return { ...account, discount_uses: [...account.discount_uses.slice(0, -1), changed] }
}

function offerAll(shop: Shop): Shop {
  const available = (id: string) => {
    const product = shop.product(id)
    return product && { ...product, available: true }
  }
  return { ...shop, product: available }
}
