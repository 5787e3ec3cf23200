import { createIntegration, StoreError, type StorePort } from '@storeport/core'
import { serve } from '@storeport/node'

const beans = { id: 'beans', title: 'Coffee beans, 1 kg', price: 19.95, images: ['https://shop.example/beans.jpg'] }
const buyers = new Set<string>()

const store: StorePort = {
  async listProducts({ email }) {
    return { products: email !== undefined && buyers.has(email.toLowerCase()) ? [] : [beans] }
  },
  async addProduct({ email, product_id, quantity }) {
    if (product_id !== beans.id) throw new StoreError('product_not_found')
    if (quantity > 10) throw new StoreError('product_unavailable', 'quantity: no more than 10 are in stock')
    buyers.add(email.toLowerCase())
  },
}

const integration = createIntegration({ store, apiKeys: [process.env['STOREPORT_API_KEY']] })
const { url } = await serve(integration, { port: Number(process.env['PORT'] ?? 3000) })
console.log(`listening on ${url}`)
