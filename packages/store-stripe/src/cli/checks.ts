import { attempt, attemptTwice, countCharges, countUnits, day, type Lab, newClick, useCard } from './lab.ts'

/** A comparison of Stripe with the stand-in. */
interface Check {
  readonly name: string
  /** Observations on the stand-in; several for a question that Stripe's documentation leaves open. */
  readonly expected: readonly string[]
  /** Runs the check and returns the observation. */
  readonly run: (lab: Lab) => Promise<string>
}

/** Creates a check. The name contains the number of the rule in QUIRKS.md. */
function check(name: string, expected: string | readonly string[], run: Check['run']): Check {
  return { name, expected: typeof expected === 'string' ? [expected] : expected, run }
}

const dateOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)
const readCurrent = ({ store, email }: Lab) => store.getSubscription({ email }, newClick())
const send = ({ store, email }: Lab) => store.sendNow({ email }, newClick())
const delay = ({ store, email }: Lab, new_date: string, context = newClick()) =>
  store.delaySubscription({ email, new_date }, context)
const addTea = ({ store, email, tea }: Lab, one_time = false, discount_code?: string) =>
  store.addProduct({ email, product_id: tea.product, quantity: 1, one_time, discount_code }, newClick())
const readDiscount = async (lab: Lab) => (await readCurrent(lab))?.order_discount_total

/** Sends an order with a card that cannot be charged, and returns the effects. */
async function sendDeclined(lab: Lab, card: string): Promise<string> {
  const readItems = async () => JSON.stringify((await lab.stripe.subscriptions.retrieve(lab.subscription)).items.data)
  await useCard(lab, card)
  const before = await readItems()
  const result = await countCharges(lab, () => attempt(send(lab)))
  return `${result}, ${(await readItems()) === before ? 'same period' : 'new period'}`
}

/** Checks by group. The checks of a group run in order with the same customer. */
export const groups: Readonly<Record<string, readonly Check[]>> = {
  'Items of a subscription': [
    check('list with an email in another letter case (quirk 1)', '0 customers', async ({ stripe, email }) => {
      const { data } = await stripe.customers.list({ email: email.toUpperCase() })
      return `${data.length} customers`
    }),
    check('customer_tax_rate (quirk 27)', '0.08', async (lab) => String((await readCurrent(lab))?.customer_tax_rate)),
    check('addProduct (quirk 5)', 'charges: 0, units: 1', async (lab) => {
      const result = await countCharges(lab, () => addTea(lab))
      return `${result}, ${await countUnits(lab, lab.tea.price)}`
    }),
    check('undoAddProduct', 'units: 0', async (lab) => {
      const { store, email, tea } = lab
      await store.undoAddProduct({ email, product_id: tea.product }, newClick())
      return countUnits(lab, tea.price)
    }),
    check('addProduct with a lost response, repeated', 'lost, done, units: 3', async (lab) => {
      const { store, email, tea } = lab
      const input = { email, product_id: tea.product, quantity: 3, one_time: false }
      return `${await attemptTwice(lab, (click) => store.addProduct(input, click))}, ${await countUnits(lab, tea.price)}`
    }),
    check('swapProduct with a lost response, repeated', 'lost, done, units: 4', async (lab) => {
      const { store, email, coffee, tea } = lab
      const input = { email, current_item_id: coffee.product, new_product_id: tea.product }
      return `${await attemptTwice(lab, (click) => store.swapProduct(input, click))}, ${await countUnits(lab, tea.price)}`
    }),
    check('same price twice (quirk 8)', 'StripeInvalidRequestError', async ({ stripe, subscription, tea }) =>
      attempt(stripe.subscriptions.update(subscription, { items: [{ price: tea.price }], proration_behavior: 'none' })),
    ),
    check('idempotency key, other parameters (quirk 17)', 'StripeIdempotencyError', async ({ stripe, customer }) => {
      const options = { idempotencyKey: crypto.randomUUID() }
      await stripe.customers.update(customer, { metadata: { verify: '1' } }, options)
      return attempt(stripe.customers.update(customer, { metadata: { verify: '2' } }, options))
    }),
    check('getSubscription in a fixed term (quirk 26)', 'done', async (lab) => {
      const cancel_at = lab.now() + 100 * day
      await lab.stripe.subscriptions.update(lab.subscription, { cancel_at, proration_behavior: 'none' })
      return attempt(readCurrent(lab))
    }),
    check('getSubscription with a paused collection (quirk 24)', 'subscription_not_found', async (lab) => {
      await lab.stripe.subscriptions.update(lab.subscription, { pause_collection: { behavior: 'void' } })
      return attempt(readCurrent(lab))
    }),
  ],
  'Dates and orders': [
    check('addProduct with one_time (quirks 9 and 27)', 'in the next order, tax 0.08', async (lab) => {
      await addTea(lab, true)
      const { items = [], customer_tax_rate: tax } = (await readCurrent(lab)) ?? {}
      const isNext = items.some(({ id }) => id.endsWith('~once'))
      return `${isNext ? 'in the next order' : 'not in the next order'}, tax ${tax}`
    }),
    check('delaySubscription with a one-time item (quirk 23)', 'invalid_date', async (lab) =>
      attempt(delay(lab, dateOf(lab.now() + 40 * day))),
    ),
    check('one-time item when a trial starts (quirk 23)', ['stays pending', 'is billed'], async (lab) => {
      const trial_end = lab.now() + 40 * day
      await lab.stripe.subscriptions.update(lab.subscription, { trial_end, proration_behavior: 'none' })
      const { data } = await lab.stripe.invoiceItems.list({ customer: lab.customer, pending: true })
      return data.length === 1 ? 'stays pending' : 'is billed'
    }),
    check('sendNow with a lost response, repeated (quirk 4)', 'lost, done, charges: 1', async (lab) => {
      const { store, email } = lab
      return countCharges(lab, () => attemptTwice(lab, (click) => store.sendNow({ email }, click)))
    }),
    check('deletion of a billed item (quirk 11)', 'StripeInvalidRequestError', async ({ stripe, customer }) => {
      const { data } = await stripe.invoiceItems.list({ customer, limit: 1 })
      return attempt(stripe.invoiceItems.del(data[0]?.id ?? ''))
    }),
    check('delaySubscription (quirk 3)', 'lost, done, trialing, on the new date', async (lab) => {
      const date = dateOf(lab.now() + 45 * day)
      const result = await attemptTwice(lab, (click) => delay(lab, date, click))
      const { status, trial_end } = await lab.stripe.subscriptions.retrieve(lab.subscription)
      return `${result}, ${status}, ${dateOf(trial_end ?? 0) === date ? 'on the new date' : 'on another date'}`
    }),
    check('end of the delay (quirk 3)', 'active, charges: 1', async (lab) =>
      countCharges(lab, async () => {
        await lab.advance(46 * day)
        return (await lab.stripe.subscriptions.retrieve(lab.subscription)).status
      }),
    ),
  ],
  'Codes and delays': [
    check('percentage for a new line (quirk 13)', 'done, discount: 0.5', async (lab) => {
      const result = await attempt(addTea(lab, false, lab.code))
      return `${result}, discount: ${await readDiscount(lab)}`
    }),
    check('percentage for an earlier line (quirk 13)', 'invalid_discount_code', async (lab) => {
      const { store, email, coffee, code: discount_code } = lab
      const add = { email, product_id: coffee.product, quantity: 1, one_time: false, discount_code }
      return attempt(store.addProduct(add, newClick()))
    }),
    check('coupon for one order over the invoice of a delay (quirk 35)', ['kept', 'used up'], async (lab) => {
      await delay(lab, dateOf(lab.now() + 40 * day))
      return (await readDiscount(lab)) === 0.5 ? 'kept' : 'used up'
    }),
    check('sendNow inside a delay (quirk 4)', 'done, active, charges: 1', async (lab) =>
      countCharges(lab, async () => {
        const result = await attempt(send(lab))
        return `${result}, ${(await lab.stripe.subscriptions.retrieve(lab.subscription)).status}`
      }),
    ),
  ],
  Payments: [
    check('sendNow, declined card (quirk 6)', 'payment_failed, charges: 0, same period', (lab) =>
      sendDeclined(lab, 'pm_card_chargeCustomerFail'),
    ),
    check('sendNow, card that requires SCA (quirk 6)', 'payment_failed, charges: 0, same period', (lab) =>
      sendDeclined(lab, 'pm_card_authenticationRequired'),
    ),
    check('sendNow after a declined card (quirk 16)', 'done, charges: 1', async (lab) => {
      await useCard(lab, 'pm_card_visa')
      return countCharges(lab, () => attempt(send(lab)))
    }),
    check('sendNow while an invoice is unpaid (quirk 25)', 'past_due, payment_failed', async (lab) => {
      await useCard(lab, 'pm_card_chargeCustomerFail')
      await lab.advance(32 * day)
      const { status } = await lab.stripe.subscriptions.retrieve(lab.subscription)
      return `${status}, ${await attempt(send(lab))}`
    }),
    check('delaySubscription while an invoice is unpaid (quirk 25)', 'payment_failed', async (lab) =>
      attempt(delay(lab, dateOf(lab.now() + 40 * day))),
    ),
  ],
  Reactivation: [
    check('cancellation at the end of the period (quirk 34)', 'listed, done, active', async (lab) => {
      const { store, stripe, email, subscription: subscription_id, mode } = lab
      // In flexible billing mode, the Customer Portal sets the same field.
      const end = mode === 'flexible' ? ({ cancel_at: 'min_period_end' } as const) : { cancel_at_period_end: true }
      await stripe.subscriptions.update(subscription_id, end)
      const { subscriptions } = await store.listCancelledSubscriptions({ email }, newClick())
      const isListed = subscriptions.some((one) => one.subscription_id === subscription_id)
      const result = await attempt(store.reactivateSubscription({ email, subscription_id }, newClick()))
      const { cancel_at, status } = await stripe.subscriptions.retrieve(subscription_id)
      return `${isListed ? 'listed' : 'not listed'}, ${result}, ${cancel_at === null ? status : 'still ending'}`
    }),
    check(
      'reactivateSubscription with a lost response, repeated (quirk 7)',
      'lost, done, subscriptions: 1, trialing, tax 8, billed tomorrow',
      async (lab) => {
        const { store, email, subscription: subscription_id, stripe, customer } = lab
        await stripe.subscriptions.cancel(subscription_id)
        const input = { email, subscription_id }
        const result = await attemptTwice(lab, (click) => store.reactivateSubscription(input, click))
        const { data } = await stripe.subscriptions.list({ customer })
        const { status, default_tax_rates: rates, trial_end } = data[0] ?? {}
        const tax = rates?.map(({ percentage }) => percentage).join()
        const isTomorrow = dateOf(trial_end ?? 0) === dateOf(lab.now() + day)
        const date = isTomorrow ? 'billed tomorrow' : 'billed on another date'
        return `${result}, subscriptions: ${data.length}, ${status}, tax ${tax}, ${date}`
      },
    ),
  ],
}
