import type * as z from 'zod/mini'
import type { ErrorCode } from '../errors.ts'
import type { CompleteStorePort, EndpointName } from '../store-port.ts'

/** A part of the email or the portal that the caller shows. */
export type WidgetName = 'upsells' | 'portal' | 'reactivate' | 'customAction' | 'discounts'

/** A button that the caller shows only when its endpoint exists. */
export type ButtonName = 'undoButton' | 'sendNowButton' | 'delayButton' | 'swapButton'

/** One row of the contract table. */
export interface Endpoint<Input = unknown, Output = unknown> {
  /** HTTP method; HEAD works where GET does. */
  readonly method: 'GET' | 'POST'
  /** Path below the base path. */
  readonly path: `/${string}`
  /** The widget that needs the endpoint. */
  readonly widget: WidgetName
  /** The one button that needs the endpoint; without it the whole widget does. */
  readonly button?: ButtonName
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
  /** Whether a second run does harm: then a retry of an unknown outcome runs only in a store that honours the idempotency key. */
  readonly onceOnly?: boolean
  /** The codes that a customer can cause here. */
  readonly errors: readonly ErrorCode[]
}

/** What the StorePort method of an endpoint takes. */
export type InputOf<Name extends EndpointName> = Parameters<CompleteStorePort[Name]>[0]

/** What the StorePort method of an endpoint answers when it finds what was asked for. */
export type OutputOf<Name extends EndpointName> = NonNullable<Awaited<ReturnType<CompleteStorePort[Name]>>>

/** The type of the contract table: a row for each StorePort method, with its input and output. */
export type Endpoints = {
  readonly [Name in EndpointName]: Endpoint<
    InputOf<Name>,
    Awaited<ReturnType<CompleteStorePort[Name]>> extends void ? unknown : OutputOf<Name>
  >
}
