import { StoreError } from '@storeport/core'
import { addProduct, type CustomerAccount, type Item, listProducts, type Shop, undoAddProduct } from '@storeport/rules'
import type { Subscriptions } from './accounts.ts'
import { refusal } from './messages.ts'
import type { Mutant } from './mutant.ts'

/** Takes back every open add of a product. */
function undoAll(account: CustomerAccount, product_id: string, shop: Shop): CustomerAccount {
  if (!account.adds.some((add) => add.product_id === product_id)) return account
  return undoAll(undoAddProduct(account, { email: account.email, product_id }, shop), product_id, shop)
}

/** The upsell widget: list, add, undo. */
export const upsells: readonly Mutant[] = [
  {
    defect: 'the email is not looked at in the list',
    caughtBy: 'listProducts.recommends-what-a-customer-lacks',
    rules: { listProducts: (_account, input, shop) => listProducts(undefined, input, shop) },
  },
  {
    defect: 'without an email the list is empty',
    caughtBy: 'listProducts.answers-with-products',
    rules: {
      listProducts: (account, input, shop) =>
        account === undefined ? { products: [] } : listProducts(account, input, shop),
    },
  },
  {
    defect: 'the list holds two products, as a page of a longer one would',
    caughtBy: 'listProducts.lists-every-available-product',
    rules: {
      listProducts: (account, input, shop) => ({ products: listProducts(account, input, shop).products.slice(0, 2) }),
    },
  },
  {
    defect: 'what is sold out is listed',
    caughtBy: 'listProducts.leaves-out-what-is-sold-out',
    shop: (shop) => ({
      offered: () => [...shop.offered(), ...[shop.product('test_00000')].filter((one) => one !== undefined)],
    }),
  },
  {
    defect: 'an unknown customer gets an empty list of products',
    caughtBy: 'listProducts.gives-strangers-the-general-list',
    rules: {
      listProducts: (account, input, shop) => {
        const isUnknown = account === undefined && input.email !== undefined
        return isUnknown ? { products: [] } : listProducts(account, input, shop)
      },
    },
  },
  {
    defect: 'what the customer has already is recommended again',
    caughtBy: 'listProducts.recommends-what-a-customer-lacks',
    rules: {
      listProducts: (account, input, shop) => listProducts(account && { ...account, subscriptions: [] }, input, shop),
    },
  },
  {
    defect: 'recommendations lose their order',
    caughtBy: 'listProducts.keeps-the-rank-order',
    rules: {
      listProducts: (account, input, shop) => ({ products: listProducts(account, input, shop).products.toReversed() }),
    },
  },
  {
    defect: 'prices differ between the two lists',
    caughtBy: 'listProducts.tells-the-same-of-a-product',
    rules: {
      listProducts: (account, input, shop) => ({
        products: listProducts(account, input, shop).products.map((product) =>
          account ? { ...product, price: 1 } : product,
        ),
      }),
    },
  },
  {
    defect: 'one-time lines count as what the customer has',
    caughtBy: 'listProducts.still-offers-what-comes-once',
    rules: { listProducts: (account, input, shop) => listProducts(account && allRecurring(account), input, shop) },
  },
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
    rules: { addProduct: (account, input, shop) => secondLine(account, addProduct(account, input, shop)) },
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
    rules: { addProduct: (account, input, shop) => addProduct(account, input, allAvailable(shop)) },
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
    defect: 'an undo is answered, and nothing is done',
    caughtBy: 'undoAddProduct.restores-the-subscription',
    rules: { undoAddProduct: (account) => account },
  },
  {
    defect: 'an undo takes back every add of the product',
    caughtBy: 'undoAddProduct.takes-back-the-most-recent-add',
    rules: {
      undoAddProduct: (account, input, shop) => undoAll(undoAddProduct(account, input, shop), input.product_id, shop),
    },
  },
  {
    defect: 'an undo takes the whole line, also what was there before',
    caughtBy: 'undoAddProduct.restores-the-subscription',
    rules: { undoAddProduct: (account, input, shop) => withoutLine(account, undoAddProduct(account, input, shop)) },
  },
  {
    defect: 'an undo takes back the first add',
    caughtBy: 'undoAddProduct.takes-back-the-most-recent-add',
    rules: {
      undoAddProduct: (account, input, shop) =>
        undoAddProduct({ ...account, adds: account.adds.toReversed() }, input, shop),
    },
  },
  {
    defect: 'an undo takes back the last add, whatever the product',
    caughtBy: 'undoAddProduct.takes-back-the-named-product',
    rules: {
      undoAddProduct: (account, input, shop) => {
        const { product_id } = account.adds.at(-1) ?? input
        return undoAddProduct(account, { ...input, product_id }, shop)
      },
    },
  },
  {
    defect: 'nothing to undo is a success',
    caughtBy: 'undoAddProduct.takes-back-nothing-of-before',
    rules: { undoAddProduct: (account, input, shop) => undoAll(account, input.product_id, shop) },
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
    defect: 'an undo looks at the current subscription alone',
    caughtBy: 'undoAddProduct.follows-its-add',
    rules: {
      undoAddProduct: (account, input, shop) => {
        const [current] = account.subscriptions.toSorted((one, other) =>
          (one.next_billing_date ?? '') < (other.next_billing_date ?? '') ? -1 : 1,
        )
        const adds = account.adds.filter((add) => add.order_id !== null || add.subscription_id === current?.id)
        return undoAddProduct({ ...account, adds }, input, shop)
      },
    },
  },
]

/** The account with the items of its subscriptions changed; the change is told the item as it was before, if it was there. */
function withItems<Account extends Subscriptions>(account: Account, change: (item: Item) => readonly Item[]): Account {
  const subscriptions = account.subscriptions.map((one) => ({ ...one, items: one.items.flatMap(change) }))
  return { ...account, subscriptions }
}

function quantityOf(account: CustomerAccount, id: string): number | undefined {
  return account.subscriptions.flatMap(({ items }) => items).find((item) => item.id === id)?.quantity
}

function allRecurring<Account extends Subscriptions>(account: Account): Account {
  return withItems(account, (item) => [{ ...item, one_time: false }])
}

/** What an item has grown by becomes a line of its own. */
function secondLine(before: CustomerAccount, after: CustomerAccount): CustomerAccount {
  return withItems(after, (item) => {
    const quantity = quantityOf(before, item.id) ?? item.quantity
    if (quantity === item.quantity) return [item]
    return [
      { ...item, quantity },
      { ...item, id: `${item.id}_more`, quantity: item.quantity - quantity },
    ]
  })
}

/** The item that has shrunk is gone. */
function withoutLine(before: CustomerAccount, after: CustomerAccount): CustomerAccount {
  return withItems(after, (item) => (quantityOf(before, item.id) === item.quantity ? [item] : []))
}

/** The last use of a discount takes another amount off. */
function withUse(account: CustomerAccount, kind: string, change: (amount: number) => number): CustomerAccount {
  const last = account.discount_uses.at(-1)
  if (last?.kind !== kind) return account
  const changed = { ...last, amount_minor: Math.round(change(last.amount_minor)) }
  return { ...account, discount_uses: [...account.discount_uses.slice(0, -1), changed] }
}

function allAvailable(shop: Shop): Shop {
  const available = (id: string) => {
    const product = shop.product(id)
    return product && { ...product, available: true }
  }
  return { ...shop, product: available }
}
