import { type Operations, StoreError } from '@storeport/core'
import { getDiscount, getSubscription, listCancelledSubscriptions, listProducts } from '@storeport/rules'
import { findCustomer, type LoadedCustomer, loadCustomer } from '../account/load-customer.ts'
import { findPromotionCode } from '../shop/find-promotion-code.ts'
import { readOffered } from '../shop/read-products.ts'
import { askStripe } from '../stripe/ask-stripe.ts'
import { currentOf, type Desk, intervalOf } from './desk.ts'
import { readNextCosts } from './read-next-costs.ts'
import { readTitles } from './read-titles.ts'

/** The operations that change nothing. */
export function createReads(
  desk: Desk,
): Pick<Operations, 'listProducts' | 'getSubscription' | 'listCancelledSubscriptions' | 'getDiscount'> {
  const { settings, createShop } = desk
  const pending = { settled: false }

  return {
    async listProducts(input, context) {
      const asking = askStripe(settings, context)
      const loaded = input.email === undefined ? undefined : await findCustomer(settings, asking, input.email, pending)
      const offered = await readOffered(settings, asking, loaded ? intervalOf(loaded, desk) : settings.interval)
      const products = new Map(offered.map(({ product }) => [product.id, product]))
      const shop = createShop({ product: (id) => products.get(id), offered: () => [...products.values()] })
      return listProducts(loaded?.account, input, shop)
    },

    async getSubscription(input, context) {
      const asking = askStripe(settings, context)
      const loaded = await loadCustomer(settings, asking, input.email, pending)
      const held = currentOf(loaded)
      const [titles, costs] = await Promise.all([
        readTitles(settings, asking, [held], loaded.invoiceItems),
        readNextCosts(settings, asking, held, loaded),
      ])
      return getSubscription(withCosts(loaded, held.id, costs), input, createShop({ product: titles }))
    },

    async listCancelledSubscriptions(input, context) {
      const asking = askStripe(settings, context)
      const loaded = await loadCustomer(settings, asking, input.email, pending)
      const shop = createShop({ product: await readTitles(settings, asking, loaded.subscriptions, []) })
      return listCancelledSubscriptions(loaded.account, input, shop)
    },

    async getDiscount(input, context) {
      const promotion = await findPromotionCode(settings, askStripe(settings, context), input.discount_code)
      if (promotion === undefined) throw new StoreError('discount_not_found')
      return getDiscount(undefined, input, createShop({ discount: () => promotion.terms }))
    },
  }
}

type Costs = Awaited<ReturnType<typeof readNextCosts>>

function withCosts({ account }: LoadedCustomer, id: string, costs: Costs) {
  const subscriptions = account.subscriptions.map((other) => (other.id === id ? { ...other, ...costs } : other))
  return { ...account, subscriptions }
}
