import { createIntegration, StoreError, type StorePort } from '@storeport/core'
import { serve } from '@storeport/node'

const products = [
  { id: 'beans', title: 'Coffee beans, 1 kg', price: 19.95, images: ['https://shop.example/beans.jpg'] },
  { id: 'filters', title: 'Paper filters', price: 4.5, images: ['https://shop.example/filters.jpg'] },
]
const bought = new Map<string, string[]>()
const boughtBy = (email: string) => bought.get(email.toLowerCase()) ?? []

const store: StorePort = {
  async listProducts({ email }) {
    const owned = email === undefined ? [] : boughtBy(email)
    return { products: products.filter((product) => !owned.includes(product.id)) }
  },

  async addProduct({ email, product_id, quantity }) {
    if (!products.some((product) => product.id === product_id)) throw new StoreError('product_not_found')
    if (quantity > 10) throw new StoreError('product_unavailable', 'quantity: no more than 10 are in stock')
    bought.set(email.toLowerCase(), [...boughtBy(email), product_id])
  },
}

const integration = createIntegration({ store, apiKeys: [process.env['STOREPORT_API_KEY']] })
const { url } = await serve(integration, { port: Number(process.env['PORT'] ?? 3000) })
console.log(`listening on ${url}`)
