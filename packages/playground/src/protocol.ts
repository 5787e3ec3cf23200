import { endpointNames } from '@storeport/core'
import type { ShopActivity, Subscription } from '@storeport/rules'
import * as z from 'zod'

/** A recorded click as a person reads it: an element of the response to `POST /playground/history`. */
export interface HistoryLine {
  /** Time of the request, in milliseconds since 1970. */
  readonly at: number
  /** Text that describes the click. */
  readonly asked: string
  /** Text that describes the result. */
  readonly result: string
  /** Whether the request failed. */
  readonly failed: boolean
  /** Id of the request in the log. */
  readonly requestId: string
}

/** A test customer. */
export interface TestCustomer {
  /** Email address of the customer. */
  readonly email: string
  /** Label such as "Left two days ago". */
  readonly label: string
}

/** A custom button, which runs an action of the merchant. */
export interface CustomAction {
  /** Value of `action_id` in a `runCustomAction` request. */
  readonly id: string
  /** Label of the button; default: derived from the id. */
  readonly label?: string | undefined
}

/**
 * Body of `POST /playground/call`. The fields of `input` are sent in the query of a GET request, or in the body of a POST
 * request.
 */
export const CallRequest = z.object({ endpoint: z.enum(endpointNames), input: z.record(z.string(), z.unknown()) })
export type CallRequest = Readonly<z.output<typeof CallRequest>>

/** A request and its response, without the API key: response to `POST /playground/call`. */
export interface Exchange {
  /** The sent request. */
  readonly request: SentRequest
  /** The response; `null` if the request failed. */
  readonly response: (Pick<SentRequest, 'headers'> & { readonly status: number; readonly body: string }) | null
  /** Reason why the request failed; `null` if a response arrived. */
  readonly problem: string | null
  /** Time until the last byte of the response or until the failure, in milliseconds. */
  readonly durationMs: number
}

/** A sent request with its full URL and body. A placeholder replaces the API key. */
export interface SentRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | null
}

/** Data of the shop that the merchant sees: response to `GET /playground/shop`. The lists contain at most 50 entries. */
export interface DemoState extends ShopActivity {
  /** Subscriptions of the customers; a customer's active subscriptions are first, by next billing date. */
  readonly subscriptions: readonly DemoSubscription[]
}

/** A subscription as the merchant sees it. */
export interface DemoSubscription extends Pick<Subscription, 'id' | 'status' | 'next_billing_date'> {
  /** The customer's email. */
  readonly email: string
  /** Contents of the next order. */
  readonly lines: DemoOrder['lines']
}

/** An order. Amounts are in minor units. */
export type DemoOrder = ShopActivity['orders'][number]
