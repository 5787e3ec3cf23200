import { StoreError, type StorePort } from '@storeport/core'

/** Products of the shop. Replace them with your catalog. */
const catalog = [
  { id: 'beans', title: 'Coffee beans, 1 kg', price: 19.95, inStock: true },
  { id: 'filters', title: 'Paper filters', price: 4.5, inStock: true },
  { id: 'grinder', title: 'Grinder', price: 89, inStock: false },
]

/** Customers of the shop. Replace them with your customers. */
const customers = ['customer@example.com', 'another@example.com']

/** Discount codes with their percentages. Replace them with your codes. */
const percentages = new Map([['WELCOME10', 10]])

/** Creates an example store. Its data is in memory and is lost on restart. Image URLs start with `publicUrl`. */
export function createStore(publicUrl = 'http://127.0.0.1:3000'): StorePort {
  const orders = new Map(customers.map((email) => [email, new Array<{ product_id: string; quantity: number }>()]))

  function ordersOf(email: string) {
    const found = orders.get(email.toLowerCase())
    if (found === undefined) throw new StoreError('customer_not_found')
    return found
  }

  function percentageOf(code: string) {
    return percentages.get(code.trim().toUpperCase())
  }

  return {
    // If the input contains an email, you can return recommendations for this customer.
    async listProducts() {
      const offered = catalog.filter(({ inStock }) => inStock)
      return {
        products: offered.map(({ id, title, price }) => ({
          id,
          title,
          price,
          images: [`${publicUrl}/images/${id}.svg`],
        })),
      }
    },

    async addProduct({ email, product_id, quantity, one_time, discount_code }) {
      const ordered = ordersOf(email)
      const product = catalog.find(({ id }) => id === product_id)
      if (product === undefined) throw new StoreError('product_not_found')
      if (!product.inStock) throw new StoreError('product_unavailable')
      // A one-time item is added to the next order of a subscription, but this shop has no subscriptions.
      if (one_time) throw new StoreError('subscription_not_found')
      if (discount_code !== undefined && percentageOf(discount_code) === undefined) {
        throw new StoreError('invalid_discount_code')
      }
      ordered.push({ product_id, quantity })
    },

    async undoAddProduct({ email, product_id }) {
      const ordered = ordersOf(email)
      const last = ordered.findLastIndex((order) => order.product_id === product_id)
      if (last === -1) throw new StoreError('product_not_in_order')
      ordered.splice(last, 1)
    },

    async getDiscount({ discount_code }) {
      const discount_percentage = percentageOf(discount_code)
      return discount_percentage === undefined ? null : { discount_type: 'percentage', discount_percentage }
    },
  }
}
