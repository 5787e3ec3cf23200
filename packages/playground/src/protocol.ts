import type { PlainRequest, PlainResponse, Report, ReportResult, RunMode } from '@storeport/conformance'
import type { EndpointName } from '@storeport/core'

/** What the page must know before it shows anything: `GET /playground/config`. */
export interface PlaygroundConfig {
  /** Name of the shop, as the sender of the emails. */
  readonly shopName: string
  /** Address that every path is appended to. */
  readonly baseUrl: string
  /** What every path starts with. */
  readonly basePath: string
  /** Header that carries the API key. */
  readonly apiKeyHeader: string
  /** Whether every call asks for the test store. */
  readonly testMode: boolean
  /** The shop's date, `YYYY-MM-DD`. */
  readonly today: string
  /** The shop's one currency, ISO 4217. */
  readonly currency: string
  /** The endpoints that the shop offers; empty when `problem` says why nobody knows. */
  readonly offered: readonly EndpointName[]
  /** Why the shop could not be asked what it offers. */
  readonly problem: string | null
  /** Customers to choose from. */
  readonly customers: readonly TestCustomer[]
  /** Discount codes to try, the ones that are refused included. */
  readonly discountCodes: readonly string[]
  /** Custom actions to make buttons of. */
  readonly actions: readonly CustomAction[]
  /** Whose data the page shows: `test` is the host's own seed, `shop` somebody's real shop. */
  readonly data: 'test' | 'shop'
  /** Path of the API reference; `null` where none is served. */
  readonly referencePath: string | null
  /** What the page may do besides the API: look inside the shop, move its date, put its seed back. */
  readonly beside: { readonly look: boolean; readonly time: boolean; readonly reset: boolean }
}

/** A customer to choose from. */
export interface TestCustomer {
  /** The email address. */
  readonly email: string
  /** What the customer has. */
  readonly role: CustomerRole
  /** What the customer is, in words ("Left two days ago"); without it the words of the role. */
  readonly label?: string | undefined
}

/** What test customers have, in the order of the list; the names are those of a profile's customers. */
export const customerRoles = ['subscribed', 'cancelled', 'otherCustomer', 'empty', 'unknown'] as const

/** What a test customer has. */
export type CustomerRole = (typeof customerRoles)[number]

/** A custom button. */
export interface CustomAction {
  /** What runCustomAction gets as `action_id`. */
  readonly id: string
  /** What the button says; without one the id in words. */
  readonly label?: string | undefined
}

/** Body of `POST /playground/call`. */
export interface CallRequest {
  /** The endpoint to call. */
  readonly endpoint: EndpointName
  /** Its query or body. */
  readonly input: Readonly<Record<string, unknown>>
}

/** What a call looked like on the wire, without the API key: the answer to `POST /playground/call`. */
export interface Exchange {
  /** What was sent. */
  readonly request: SentRequest
  /** What came back; `null` when nothing did. */
  readonly response: PlainResponse | null
  /** Why nothing came back. */
  readonly problem: string | null
  /** From sending to the last byte of the answer, in milliseconds. */
  readonly durationMs: number
}

/** A request as it was sent, its whole address and its body as text included; the key's header has no value. */
export interface SentRequest extends Pick<PlainRequest, 'method' | 'headers'> {
  readonly url: string
  readonly body: string | null
}

/** What the shop has: the merchant's side, the answer to `GET /playground/shop`. */
export interface ShopInside {
  /** The shop's date, `YYYY-MM-DD`. */
  readonly today: string
  /** Orders, the latest first, at most 50. */
  readonly orders: readonly InsideOrder[]
  /** Uses of discount codes, the latest first, at most 50. */
  readonly codeUses: readonly InsideCodeUse[]
  /** Custom actions that were run, the latest first, at most 50. */
  readonly actionsRun: readonly InsideActionRun[]
}

/** An order; its amounts are in the shop's currency, as the API has them. */
export interface InsideOrder {
  /** Unique in the shop. */
  readonly id: string
  /** The customer's email. */
  readonly email: string
  /** Whether it is an order of a subscription. */
  readonly kind: 'subscription' | 'one_off'
  /** The subscription; `null` for none. */
  readonly subscriptionId: string | null
  /** How far it is; a customer may take back an open one. */
  readonly status: 'open' | 'processing' | 'shipped' | 'cancelled'
  /** The day, `YYYY-MM-DD`. */
  readonly placedOn: string
  /** What it contains. */
  readonly lines: readonly InsideLine[]
  /** What the lines cost together. */
  readonly items: number
  /** What codes and the subscription take off. */
  readonly discount: number
  /** Shipping. */
  readonly shipping: number
  /** Tax. */
  readonly tax: number
  /** What the customer pays. */
  readonly total: number
}

/** A line of an order. */
export interface InsideLine {
  /** The product. */
  readonly productId: string
  /** Its name when the order was made. */
  readonly title: string
  /** Units. */
  readonly quantity: number
  /** Price of one unit. */
  readonly price: number
  /** Whether it was for this order only. */
  readonly oneTime: boolean
}

/** A use of a discount code. */
export interface InsideCodeUse {
  /** The customer's email. */
  readonly email: string
  /** The code. */
  readonly code: string
  /** The day, `YYYY-MM-DD`. */
  readonly usedOn: string
  /** What it takes off, in the shop's currency. */
  readonly amount: number
  /** The order that it lowered; `null` while it waits for the next one. */
  readonly orderId: string | null
}

/** A custom action that a customer ran. */
export interface InsideActionRun {
  /** The customer's email. */
  readonly email: string
  /** The action. */
  readonly actionId: string
  /** The day, `YYYY-MM-DD`. */
  readonly runOn: string
}

/** Where the shop's date can be moved: the day before the customer's next billing, that day, or a month on. */
export const timeSteps = ['day-before', 'next-billing', 'one-month'] as const

/** Where to move the shop's date: the day before the customer's next billing, that day, or a month on. */
export type TimeStep = (typeof timeSteps)[number]

/** Body of `POST /playground/time`. */
export interface TimeRequest {
  /** Where to move the date. */
  readonly to: TimeStep
  /** The customer whose next billing is meant. */
  readonly email: string
}

/** The answer to `POST /playground/time` and `POST /playground/reset`. */
export interface MovedDate {
  /** The shop's date now, `YYYY-MM-DD`. */
  readonly today: string
  /** Orders that were made by it. */
  readonly billed: number
}

/** One line of the answer to `POST /playground/checks`, which is a stream of JSON lines. */
export type CheckLine =
  | { readonly type: 'start'; readonly total: number }
  | { readonly type: 'result'; readonly outcome: ReportResult['outcome'] }
  | ({ readonly type: 'end' } & Pick<Report, 'verdict' | 'sentences'>)
  | { readonly type: 'problem'; readonly message: string }

/** How far a run of the checks goes: `read-only` changes nothing, `default` uses the test customers up, `stress` also sends bursts. */
export const checkModes = ['read-only', 'default', 'stress'] as const satisfies readonly RunMode[]

/** How far a run of the checks goes. */
export type CheckMode = (typeof checkModes)[number]
