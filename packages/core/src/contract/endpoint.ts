import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'

/** A part of an email or of the portal that the caller shows. */
export type WidgetName = 'upsells' | 'portal' | 'reactivate' | 'customAction' | 'discounts'

/** A button that the caller shows only when its endpoint exists. */
export interface Button {
  /** Name of the button in `integration.widgets`. */
  readonly name: `${string}Button`
  /** Label of the button. */
  readonly label: string
  /** Required endpoints, besides the endpoint of the button and the endpoints of its widget. */
  readonly needs?: readonly string[]
}

/** One row of the contract table: the definition of an endpoint. */
export interface Endpoint<Input = unknown, Output = unknown> {
  /** HTTP method. An endpoint with GET accepts HEAD as well. */
  readonly method: 'GET' | 'POST'
  /** Path below the base path. */
  readonly path: `/${string}`
  /** The widget that requires the endpoint. */
  readonly widget: WidgetName
  /** The only button that requires the endpoint; absent if the whole widget requires it. */
  readonly button?: Button
  /** One sentence for documentation. */
  readonly summary: string
  /** The fields of the query or body, after aliases. */
  readonly input: z.core.$ZodObject<z.core.$ZodShape, z.core.$strip> & z.core.$ZodType<Input>
  /** Schema of the value that the store returns. With `Nothing`, the response has no `data`. */
  readonly output: z.core.$ZodType<Output>
  /** Error code if the store returns `null`. */
  readonly absent?: ErrorCode
  /** Other names that the caller may send for a field. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>
  /** Default of the option `retries.windows`, in milliseconds: how long a success is returned for repeats, which do not run again. */
  readonly retryWindowMs?: number
  /** Whether running a change twice has the same effect as once. If so, any store retries it after an unknown outcome (RETRY-7). */
  readonly repeatable?: boolean
  /** Error codes that a customer can cause. */
  readonly errors: readonly ErrorCode[]
}
