import * as z from 'zod/mini'
import { Email, Id, Nothing } from './schemas.ts'
import type { Endpoint } from './endpoint.ts'

/** Request body of undoAddProduct (UNDO-1). */
export const UndoAddProductInput = z.object({ email: Email, product_id: Id })
export type UndoAddProductInput = z.infer<typeof UndoAddProductInput>

export const undoAddProduct = {
  method: 'POST',
  path: '/upsells/undo-add-product',
  widget: 'upsells',
  button: { name: 'undoButton', label: 'Undo' },
  summary: 'Undo the most recent addition of a product.',
  input: UndoAddProductInput,
  output: Nothing,
  retryWindowMs: 10_000,
  errors: ['customer_not_found', 'product_not_in_order'],
} as const satisfies Endpoint
