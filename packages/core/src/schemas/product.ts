import * as z from 'zod/mini'
import { Id, ImageUrl, Money, Text } from './fields.ts'

/** A product that can be offered (PRODUCTS-1). A new field: CONTRIBUTING lists what must have it. */
export const Product = z.object({
  id: Id,
  title: Text,
  price: Money,
  images: z.array(ImageUrl),
  compare_at_price: z.optional(Money),
  description: z.optional(z.string()),
})
/** A product that can be offered (PRODUCTS-1). */
export type Product = z.infer<typeof Product>

/** Data of listProducts (PRODUCTS-1). */
export const ProductList = z.object({ products: z.array(Product) })
/** Data of listProducts (PRODUCTS-1). */
export type ProductList = z.infer<typeof ProductList>
