import type { EndpointName, NameOptions } from '@storeport/core'
import type { CustomAction, DemoState, HistoryLine, TestCustomer } from './protocol.ts'

/** The shop that a playground calls. */
export interface Target {
  /** Base URL of the shop; a function if the port is known only later. */
  readonly baseUrl: string | (() => string)
  /** API key of the shop. It is never sent to the browser. */
  readonly apiKey: string
  /** The vendor name, or the path prefix and header names; default `integration`. */
  readonly names?: NameOptions | undefined
  /** Handler for the page's requests, such as `integration.fetch`; default: HTTP to `baseUrl`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** Options of `createPlayground`. */
export interface PlaygroundOptions {
  /** The shop to call. */
  readonly target: Target
  /** Secret in the URL `/?token=…` that signs a browser in; 16 to 256 characters `A-Z a-z 0-9 _ -`. */
  readonly token: string
  /** Endpoints that the shop implements, or a function that discovers them. The page displays the message of its error. */
  readonly offered: readonly EndpointName[] | (() => Promise<readonly EndpointName[]>)
  /** Test customers to select in the inbox; default none. */
  readonly customers?: readonly TestCustomer[] | undefined
  /** Actions of the custom buttons; default none. */
  readonly actions?: readonly CustomAction[] | undefined
  /** Discount codes that the page offers for selection; default none. */
  readonly discountCodes?: readonly string[] | undefined
  /** Kind of data: `test` for the host's seed data, `shop` for a real shop; default `shop`. */
  readonly data?: 'test' | 'shop' | undefined
  /** Path of the API reference on the same server; default none. */
  readonly referencePath?: string | undefined
  /** Functions that are not part of the API, only for a shop with test data; default none. */
  readonly demo?: DemoControls | undefined
  /** Paused endpoints, which the page displays; default none. */
  readonly paused?: readonly EndpointName[] | undefined
  /** Returns the recorded clicks of a customer, oldest first; default none. */
  readonly history?: ((email: string) => Promise<readonly HistoryLine[]>) | undefined
  /** Returns the shop's date, `YYYY-MM-DD`; default: the date in UTC. */
  readonly today?: (() => string) | undefined
  /** Name of the shop, used as the sender of the emails; default: the host in `target.baseUrl`. */
  readonly shopName?: string | undefined
  /** ISO 4217 currency of the shop, because the API returns no currency. Sets the decimals of amounts; default `USD`. */
  readonly currency?: string | undefined
  /** Folder of the built page; default: the page in this package. */
  readonly pageFolder?: string | undefined
}

/** Functions of a test shop that are not part of the API. */
export interface DemoControls {
  /** Returns the subscriptions, orders, discount code uses and action runs of the shop. */
  readState(): Promise<DemoState>
  /** Restores the seed data, and returns true. If the shop contains other data, changes nothing and returns false. */
  reset(): Promise<boolean>
}
