import { endpoints, StoreError } from '@storeport/core'
import { addProduct, type CustomerAccount, type Shop, undoAddProduct } from '@storeport/rules'
import { freezeUse, quantityOf, withItems } from './accounts.ts'
import { at, fieldsOf, fieldsOfQuery, of, failure, isTo, withFields } from './messages.ts'
import { listMutants } from './list-mutants.ts'
import { type Mutant, yenShop } from './mutant.ts'

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
  },
  accounts: {
    getSubscription: {
      'one-time lines are not shown': (account) => withItems(account, (item) => (item.one_time ? [] : [item])),
    },
  },
  results: {
    addProduct: {
      'an add of a product that is there already is a new line': (result, { account }) => splitLine(account, result),
      'a percentage is taken of one unit': (result, { input }) =>
        withUse(result, 'percentage', (amount) => amount / input.quantity),
      'a fixed amount is taken off for each unit': (result, { input }) =>
        withUse(result, 'fixed_amount', (amount) => amount * input.quantity),
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
  },
  methods: {
    addProduct: {
      'an add is made before its code is checked': (add) => async (input, context) => {
        if (input.discount_code === 'NO-SUCH-CODE') await add({ ...input, discount_code: undefined }, context)
        await add(input, context)
      },
    },
  },
  shop: {
    'the line that results has no limit': () => ({ max_quantity: 1_000_000 }),
  },
  request: {
    'the product is looked up before the customer': (sent) =>
      /nobody.*no-such-product/.test(sent.body ?? '') ? failure(404, 'product_not_found') : sent,
    'a quantity in the query replaces a missing quantity': (sent) => {
      const quantity = Number(fieldsOfQuery(sent)['quantity'])
      return quantity > 0 && isTo(sent, 'addProduct') ? withFields(sent, (all) => ({ quantity, ...all })) : sent
    },
    'a missing quantity is 0, which adds nothing': (sent) => {
      const isBare = sent.path.endsWith(endpoints.addProduct.path) && 'product_id' in fieldsOf(sent)
      return isBare && !('quantity' in fieldsOf(sent)) && fieldsOf(sent)['email'] === 'subscription@example.com'
        ? { ...failure(200, ''), body: '{"success":true}' }
        : sent
    },
    'without the flag an add is for the next order only': (sent) =>
      sent.path.endsWith(endpoints.addProduct.path) ? withFields(sent, (all) => ({ one_time: true, ...all })) : sent,
    'the flag is called `next_cycle_only`': (sent) =>
      withFields(sent, ({ one_time: _, next_cycle_only, ...all }) => ({ ...all, one_time: next_cycle_only ?? null })),
    'the discount code is called `coupon`': (sent) =>
      withFields(sent, ({ discount_code: _, coupon, ...all }) => ({ ...all, discount_code: coupon ?? null })),
  },
  bodies: {
    'amounts are rounded down': [/"((?:discount|order)_[a-z_]+)":(\d+)\.\d+/g, '"$1":$2'],
  },
  answer: {
    'an action answers 204 without a body': at(
      '/add-product',
      of(200, (answered) => ({ ...answered, status: 204, body: '' })),
    ),
  },
  several: {
    'an undo does not release a code in lowercase': keepLowercaseCodes(),
    'a percentage in yen is counted in hundredths of a yen': {
      ...yenShop,
      rules: {
        addProduct: (account, input, shop) =>
          withUse(addProduct(account, input, shop), 'percentage', (amount) => amount * 100),
      },
    },
  },
})

/** Simulates a shop that finds the discount of an addition by its code, in uppercase. */
function keepLowercaseCodes(): Pick<Mutant, 'rules'> {
  const lost = new Set<string | null>()
  return {
    rules: {
      addProduct: (account, input, shop) => {
        const added = addProduct(account, input, shop)
        if (/[a-z]/.test(input.discount_code ?? '')) lost.add(added.adds.at(-1)?.discount_use_id ?? null)
        return added
      },
      undoAddProduct: (account, input, shop) => {
        const undone = undoAddProduct(account, input, shop)
        const kept = account.discount_uses.filter(({ id }) => lost.has(id)).map((use) => freezeUse(use, account))
        return { ...undone, discount_uses: [...undone.discount_uses.filter(({ id }) => !lost.has(id)), ...kept] }
      },
    },
  }
}

/** Moves the units that were added to an existing item to a separate line. */
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

/** Changes the percentage or the amount of the last discount, if the discount is of this kind. */
function withUse(account: CustomerAccount, kind: string, change: (worth: number) => number): CustomerAccount {
  const last = account.discount_uses.at(-1)
  if (last?.kind !== kind) return account
  const changed =
    last.kind === 'percentage'
      ? { ...last, percentage: change(last.percentage) }
      : { ...last, amount_minor: change(last.amount_minor) }
  return { ...account, discount_uses: [...account.discount_uses.slice(0, -1), changed] }
}

function offerAll(shop: Shop): Shop {
  const available = (id: string) => {
    const product = shop.product(id)
    return product && { ...product, available: true }
  }
  return { ...shop, product: available }
}
