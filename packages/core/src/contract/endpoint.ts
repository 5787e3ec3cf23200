import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'

/** A part of an email or of the customer portal that the caller shows. */
export type WidgetName = 'upsells' | 'portal' | 'reactivate' | 'customAction' | 'discounts'

/** A button that the caller shows only if the store offers the required endpoints. */
export interface Button {
  /** Name of the button in `integration.widgets`. */
  readonly name: `${string}Button`
  /** Label of the button. */
  readonly label: string
  /** Endpoints that the button requires, in addition to its own endpoint and its widget's endpoints. */
  readonly needs?: readonly string[]
}

/** One row of the contract table: the definition of an endpoint. */
export interface Endpoint<Input = unknown, Output = unknown> {
  /** HTTP method. A GET endpoint also accepts HEAD requests. */
  readonly method: 'GET' | 'POST'
  /** Path, relative to the base path. */
  readonly path: `/${string}`
  /** The widget that requires the endpoint. */
  readonly widget: WidgetName
  /** The button that requires the endpoint; absent if the whole widget requires the endpoint. */
  readonly button?: Button
  /** One-sentence summary for the documentation. */
  readonly summary: string
  /** Schema of the query or body, after aliases are replaced by field names. */
  readonly input: z.core.$ZodObject<z.core.$ZodShape, z.core.$strip> & z.core.$ZodType<Input>
  /** Schema of the value that the store returns. If the schema is `Nothing`, the response has no `data`. */
  readonly output: z.core.$ZodType<Output>
  /** Error code of the response if the store returns `null`. */
  readonly absent?: ErrorCode
  /** Other names that the caller may send for a field. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>
  /** Default for `retries.windows`, in milliseconds. In this time, a repeat returns the stored success and does not run. */
  readonly retryWindowMs?: number
  /** Error codes of the endpoint, in addition to the codes of every endpoint. */
  readonly errors: readonly ErrorCode[]
}
