import { endpoints } from '@storeport/core'
import { type Check, type CheckContext, define, onceInAShop, tests, type Input } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import {
  customerOf,
  findSubscription,
  fixedCode,
  perform,
  readSubscription,
  reductionOf,
  toMinor,
  undoAdd,
} from '../shop/customers.ts'
import { json } from '../shop/inputs.ts'
import {
  add,
  example,
  idsOf,
  invalidCodes,
  isRestored,
  listedId,
  otherChange,
  percentageOf,
  reduces,
  rejects,
  type Scene,
  shows,
  soldOut,
  undo,
} from './examples.ts'

const { must, should } = about('adding')
const discounts = about('discounts')

export const requirements: Requirements = {
  'ADD-1': must("The product is added to the customer's order in the requested quantity.", 'The quantity is ignored.'),
  'ADD-2': should(
    "Without `one_time`, adding a product that is already in the subscription increases the item's quantity.",
    'A second line is created, or the quantity is replaced instead of increased.',
  ),
  'ADD-3': must('With `one_time: true`, the product is added only to the next billing cycle.', 'The flag is ignored.'),
  'ADD-4': should(
    'With `one_time: true`, the product gets a separate line with its own id.',
    'The one-time quantity is added to the recurring item, so the two cannot be distinguished.',
  ),
  'ADD-5': should('A one-time line is removed after its order is created.', 'One-time lines are not removed.'),
  'ADD-6': should(
    'For a customer without an active subscription, adding a product without `one_time` immediately creates a one-off order. The order can be undone.',
    'The request is rejected, or creates a subscription.',
  ),
  'ADD-7': should(
    'For a customer without an active subscription, a request with `one_time: true` returns 404 `subscription_not_found`.',
    'The shop assumes that a customer without a subscription has a next billing cycle.',
  ),
  'ADD-8': should('Adding an unknown product returns 404 `product_not_found`.', 'The product is not looked up.'),
  'ADD-9': should('Adding a sold-out product returns 400 `product_unavailable`.', 'The stock is not checked first.'),
  'ADD-10': discounts.should(
    'Adding a product with a percentage code reduces the next order by that percentage of the added amount.',
    'The percentage applies to the whole order, to one unit, to every order, or not at all.',
  ),
  'ADD-11': discounts.should(
    'A fixed-amount code reduces the next order by its amount once, regardless of the quantity and of the number of additions with the code.',
    'The amount is deducted for each unit or for each addition.',
  ),
  'ADD-12': discounts.should(
    "A discount code does not change the item's price. The discount is part of `order_discount_total`.",
    "The item's price is also reduced, so the discount is shown twice.",
  ),
  'ADD-13': discounts.should(
    'An addProduct request with an unknown, expired or used-up code returns 400 `invalid_discount_code` and changes nothing.',
    'An invalid code is ignored, and the product is added without a discount.',
  ),
}

const needs = ['listProducts', 'getSubscription', 'addProduct', 'undoAddProduct'] as const

export const checks: readonly Check[] = define({ ...onceInAShop, needs }, requirements, {
  'addProduct.adds-a-new-product': {
    requirements: ['ADD-1', 'JSON-2', 'MONEY-2'],
    layer: 'wire',
    run: example([add('fresh', { quantity: 2 }), shows({ fresh: 2 }), undo('fresh'), isRestored]),
  },
  'addProduct.raises-the-quantity-of-an-item': {
    requirements: ['ADD-2', 'ADD-1'],
    run: example([add('owned', { quantity: 3 }), shows({ owned: 3 }), undo('owned')]),
  },
  'addProduct.adds-1-without-a-quantity': {
    title:
      'If the quantity is missing or `null`, one unit is added. By default, the new item is recurring. Fields in the query are ignored.',
    requirements: ['FIELD-9', 'FIELD-10', 'FIELD-4', 'BODY-11'],
    run: example([
      ...[{}, { quantity: null, one_time: null, discount_code: null }, { one_time: false }].flatMap((fields) => [
        add('owned', fields, undefined, 'FIELD-9'),
        shows({ owned: 1 }),
        undo('owned'),
      ]),
      async ({ t, email, product }) => {
        const path = `${endpoints.addProduct.path}?quantity=3&one_time=true`
        const body = JSON.stringify({ email, product_id: product('owned').id })
        t.accepted(await t.send({ method: 'POST', path, headers: json, body }), 'BODY-11')
      },
      shows({ owned: 1 }, 'BODY-11'),
      undo('owned'),
    ]),
  },
  'addProduct.adds-to-the-next-order-only': {
    title:
      'Adding a product with `one_time: true` creates a separate line, even if the subscription already contains the product.',
    requirements: ['ADD-3', 'ADD-4', 'FIELD-10'],
    run: example(
      (['fresh', 'owned'] as const).flatMap((which) => [
        add(which, { quantity: 2, one_time: true }, undefined, 'ADD-3'),
        shows({ once: { [which]: 2 } }, 'ADD-4'),
        undo(which),
      ]),
    ),
  },
  'addProduct.rejects-invalid-requests': {
    needs: ['addProduct'],
    ...rejects('addProduct', [
      ['ADD-8', 'product_not_found', 'subscribed', (t) => idsOf(t.profile.products.unknown, ...inherited)],
      ['CUSTOMER-1', 'customer_not_found', 'unknown', (t) => idsOf(t.profile.products.unknown, listedId(t))],
      ['ADD-7', 'subscription_not_found', 'empty', (t) => [{ product_id: listedId(t), one_time: true }]],
      ['ADD-13', 'invalid_discount_code', 'empty', invalidAdds],
      ['ADD-13', 'invalid_discount_code', 'subscribed', (t) => withOneTime(invalidAdds(t))],
      ['ADD-9', 'product_unavailable', 'subscribed', (t) => withOneTime(idsOf(soldOut(t)))],
    ]),
  },
  'addProduct.creates-an-order-without-a-subscription': tests(['ADD-6', 'UNDO-1', 'UNDO-3'], async (t) => {
    const email = customerOf(t, 'empty')
    const [one, other] = t.profile.products.listed
    const product_id = t.need(one, 'products.listed').id
    const other_id = t.need(other, 'second product in products.listed').id
    await perform(t, 'addProduct', { email, product_id, quantity: 2 })
    await perform(t, 'addProduct', { email, product_id: other_id })
    t.equal(await findSubscription(t, email), undefined, "the customer's subscription after both requests")
    await undoAdd(t, email, product_id)
    await undoAdd(t, email, other_id)
    t.rejected(await t.call('undoAddProduct', { email, product_id }), 'product_not_in_order', 'UNDO-3')
  }),
  'addProduct.limits-the-resulting-quantity': {
    title:
      'If two addProduct requests together exceed the maximum quantity of a recurring or one-time line, the second request is rejected and changes nothing.',
    requirements: ['FIELD-8', 'STATE-2'],
    needs: [...needs, 'delaySubscription'],
    run: example(({ profile: { maxQuantity: quantity } }) =>
      [false, true].flatMap((one_time) => [
        add('owned', { quantity: 2, one_time }),
        otherChange,
        add('owned', { quantity, one_time }, 'invalid_request', 'FIELD-8'),
        shows(one_time ? { once: { owned: 2 } } : { owned: 2 }, 'STATE-2'),
        undo('owned'),
      ]),
    ),
  },
  'addProduct.subtracts-a-percentage': {
    requirements: ['ADD-10', 'ADD-12', 'FIELD-11', 'DISCOUNT-5', 'UNDO-2'],
    run: example((t) => {
      const { code } = percentageOf(t)
      const rows = [
        ['fresh', 2, { discount_code: code }, 'ADD-10'],
        ['owned', 2, { discount_code: code }, 'ADD-10'],
        ['fresh', Math.min(t.profile.maxQuantity, 900), { discount_code: code }, 'ADD-10'],
        ['fresh', 1, { one_time: true, discount_code: ` ${code.toLowerCase()} ` }, 'DISCOUNT-5'],
      ] as const
      return rows.flatMap(([which, quantity, fields, id]) => [
        add(which, { quantity, ...fields }, undefined, id),
        reduces(which, quantity, 'ADD-12'),
        undo(which),
        isRestored,
      ])
    }),
  },
  'addProduct.subtracts-a-fixed-amount-once': {
    requirements: ['ADD-11', 'FIELD-11'],
    run: example((t) => {
      const { code, amount } = fixedCode(t)
      const takesAmount = async ({ email, before }: Scene) => {
        const reduction = reductionOf(t, await readSubscription(t, email), before)
        t.equal(reduction, Math.round(toMinor(t, amount)), 'the discount in minor units')
      }
      const once = add('fresh', { quantity: 3, discount_code: code }, undefined, 'ADD-11')
      return [once, takesAmount, undo('fresh'), isRestored]
    }),
  },
})

/** Names that every JavaScript object has. */
const inherited = ['__proto__', 'constructor']

function invalidAdds(t: CheckContext): readonly Input[] {
  return invalidCodes(t, { product_id: listedId(t) })
}

function withOneTime(inputs: readonly Input[]): readonly Input[] {
  return inputs.flatMap((input) => [input, { ...input, one_time: true }])
}
