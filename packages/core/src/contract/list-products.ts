import * as z from 'zod/mini'
import { Email, ProductList } from './schemas.ts'
import type { Endpoint } from './endpoint.ts'

/** Query parameters of listProducts (PRODUCTS-3, PRODUCTS-4). */
export const ListProductsInput = z.object({ email: z.optional(Email) })
export type ListProductsInput = z.infer<typeof ListProductsInput>

export const listProducts = {
  method: 'GET',
  path: '/upsells/products',
  widget: 'upsells',
  summary: 'List the products to offer to all customers or to one customer.',
  input: ListProductsInput,
  output: ProductList,
  errors: [],
} as const satisfies Endpoint
