import { createIntegration } from '@storeport/core'
import { serve } from '@storeport/node'
import { key } from './shop.ts'

/* Serves a product list of about 300 KB in a child process, and sends the port to the parent. */

const description = 'Roasted on Tuesdays, ground when you order. '.repeat(10)
const products = Array.from({ length: 600 }, (_, index) => ({
  id: `product_${index}`,
  title: `Coffee ${index}`,
  price: 19.95,
  images: [`https://shop.example/${index}.jpg`],
  description,
}))
const { port } = await serve(
  createIntegration({ store: { listProducts: async () => ({ products }) }, apiKeys: [key] }),
  {
    port: 0,
  },
)
process.on('disconnect', () => process.exit())
process.send?.(port)
