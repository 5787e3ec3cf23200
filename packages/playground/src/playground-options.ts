import type { EndpointName, NameOptions } from '@storeport/core'
import type { Profile, RunOptions } from '@storeport/conformance'
import type { CustomAction, DemoState, HistoryLine, MovedDate, TimeRequest } from './protocol.ts'

/** The shop that a playground calls. */
export interface Target {
  /** Base URL of the shop; a function if the port is known only later. */
  readonly baseUrl: string | (() => string)
  /** API key of the shop. It is never sent to the browser. */
  readonly apiKey: string
  /** The vendor name, or the path prefix and header names; default `integration`. */
  readonly names?: NameOptions | undefined
  /** Handler for the page's requests, such as `integration.fetch`; default: HTTP to `baseUrl`. The checks use HTTP. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** Options that apply only to the conformance checks. */
export type CheckRunOptions = Pick<RunOptions, 'secondApiKey' | 'reset' | 'unsupported' | 'skips' | 'now'> & {
  /** Whether the checks use the test store; default: the option `testMode`. */
  readonly testMode?: boolean | undefined
}

/** Options of `createPlayground`. */
export interface PlaygroundOptions {
  /** The shop to call. */
  readonly target: Target
  /** Secret in the URL `/?token=…` that signs a browser in; 16 to 256 characters `A-Z a-z 0-9 _ -`. */
  readonly token: string
  /** Name of the sign-in cookie, or a function if the name is known only later; default: derived from the token. */
  readonly cookieName?: string | (() => string) | undefined
  /** Test customers, products and codes for the page and the checks; default none. */
  readonly profile?: Profile | undefined
  /** Actions of the custom buttons; default: from the profile. */
  readonly actions?: readonly CustomAction[] | undefined
  /** Discount codes that the page offers for selection; default: from the profile. */
  readonly discountCodes?: readonly string[] | undefined
  /** Endpoints that the shop implements; default: discovered with requests that change nothing. */
  readonly offered?: readonly EndpointName[] | undefined
  /** Whether every request uses the test store; default false. */
  readonly testMode?: boolean | undefined
  /** Labels of the customers, by email; default: a label for the customer's role in the profile. */
  readonly customerLabels?: Readonly<Record<string, string>> | undefined
  /** Kind of data: `test` for the host's seed data, `shop` for a real shop; default `shop`. */
  readonly data?: 'test' | 'shop' | undefined
  /** Path of the API reference on the same server; default none. */
  readonly referencePath?: string | undefined
  /** Functions that are not part of the API, only for a shop with test data; default none. */
  readonly demo?: DemoControls | undefined
  /** Returns the paused operations, which the page displays; default none. */
  readonly paused?: (() => readonly EndpointName[]) | undefined
  /** Returns why operations are paused, which the page displays; default none. */
  readonly pausedReason?: (() => string | undefined) | undefined
  /** Returns the recorded clicks of a customer, oldest first; default none. */
  readonly history?: ((email: string) => Promise<readonly HistoryLine[]>) | undefined
  /** Returns the shop's date, `YYYY-MM-DD`; default: `today` in the profile, otherwise the date of `now`. */
  readonly today?: (() => string | Promise<string>) | undefined
  /** Name of the shop, used as the sender of the emails; default: the host in `target.baseUrl`. */
  readonly shopName?: string | undefined
  /** ISO 4217 currency of the shop, because the API returns no currency. Sets the decimals of amounts; default `USD`. */
  readonly currency?: string | undefined
  /** Options of the conformance checks. */
  readonly checks?: CheckRunOptions | undefined
  /** Folder of the built page; default: the page in this package. */
  readonly pageFolder?: string | undefined
  /** Clock that provides the current date; default: the system clock. */
  readonly now?: (() => Date) | undefined
}

/** Functions of a test shop that are not part of the API. The page hides the controls of missing functions. */
export interface DemoControls {
  /** Returns the subscriptions, orders, discount code uses and action runs of the shop. */
  readonly readState?: (() => Promise<DemoState>) | undefined
  /** Moves the shop's date forward and bills the orders that are due by the new date; throws DemoControlError. */
  readonly moveDate?: ((request: TimeRequest) => Promise<MovedDate>) | undefined
  /** Restores the seed data and the date; throws DemoControlError. */
  readonly reset?: (() => Promise<MovedDate>) | undefined
}

/** HTTP status of each error code. */
const statuses = {
  /** No later date is available, or the date is too far ahead. */
  date_not_moved: 400,
  /** The shop contains data other than the host's test data. */
  not_own_data: 403,
  /** Another date change or reset is running. */
  busy: 409,
  /** The date was moved, but billing failed. */
  not_billed: 500,
} as const

/** Error that rejects a date change or a reset. The page displays its message. */
export class DemoControlError extends Error {
  override readonly name = 'DemoControlError'
  /** Error code, which determines the HTTP status of the response. */
  readonly code: keyof typeof statuses

  /** Creates an error with a message for the user of the page. */
  constructor(code: keyof typeof statuses, message: string) {
    super(message)
    this.code = code
  }

  /** HTTP status of the response, which depends on the error code. */
  get status(): number {
    return statuses[this.code]
  }
}
