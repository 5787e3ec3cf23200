import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'

/** A part of the email or the portal that the caller shows. */
export type WidgetName = 'upsells' | 'portal' | 'reactivate' | 'customAction' | 'discounts'

/** A button that the caller shows only when its endpoint exists. */
export interface Button {
  /** Its name in `integration.widgets`. */
  readonly name: `${string}Button`
  /** What is written on it. */
  readonly label: string
  /** The endpoints that it needs besides its own and those of its widget. */
  readonly needs?: readonly string[]
}

/** One row of the contract table: all that is said of an endpoint. */
export interface Endpoint<Input = unknown, Output = unknown> {
  /** HTTP method; HEAD works where GET does. */
  readonly method: 'GET' | 'POST'
  /** Path below the base path. */
  readonly path: `/${string}`
  /** The widget that needs the endpoint. */
  readonly widget: WidgetName
  /** The one button that needs the endpoint; without it the whole widget does. */
  readonly button?: Button
  /** One sentence for people. */
  readonly summary: string
  /** The fields of the query or body, after aliases. */
  readonly input: z.core.$ZodObject<z.core.$ZodShape, z.core.$strip> & z.core.$ZodType<Input>
  /** What the store's answer is checked against; an answer to `Nothing` carries no `data`. */
  readonly output: z.core.$ZodType<Output>
  /** The code for a store that answers `null`. */
  readonly absent?: ErrorCode
  /** Other names that the caller may send for a field. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>
  /** For how long a repeat of a success is answered without running it, in milliseconds, unless the option `retries.windows` says otherwise. */
  readonly retryWindowMs?: number
  /** Whether a second run has the same effect: then a retry runs after an unknown outcome in any store (RETRY-7). */
  readonly repeatable?: boolean
  /** The codes that a customer can cause here. */
  readonly errors: readonly ErrorCode[]
}
