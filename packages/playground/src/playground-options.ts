import type { EndpointName, NameOptions } from '@storeport/core'
import type { Profile, RunOptions } from '@storeport/conformance'
import type { CustomAction, MovedDate, DemoState, TimeRequest } from './protocol.ts'

/** The shop that a playground calls. */
export interface Target {
  /** Base URL of the shop; a function if the port is known only later. */
  readonly baseUrl: string | (() => string)
  /** API key of the shop. It is never sent to the browser. */
  readonly apiKey: string
  /** The vendor name, or the path prefix and header names; default `integration`. */
  readonly names?: NameOptions | undefined
  /** Handles the requests of the page in the same process, such as `integration.fetch`; default: HTTP to `baseUrl`. The checks always use HTTP. */
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
  /** Secret that opens the page, as `/?token=…`; 16 to 256 characters `A-Z a-z 0-9 _ -`. */
  readonly token: string
  /** Name of the sign-in cookie, or a function if it is known only later; default: derived from the token. */
  readonly cookieName?: string | (() => string) | undefined
  /** Test customers, products and codes for the page and the checks; default none. */
  readonly profile?: Profile | undefined
  /** Actions of the custom buttons; default: from the profile. */
  readonly actions?: readonly CustomAction[] | undefined
  /** Discount codes to try; default: from the profile. */
  readonly discountCodes?: readonly string[] | undefined
  /** Endpoints that the shop implements; default: discovered with requests that change nothing. */
  readonly offered?: readonly EndpointName[] | undefined
  /** Whether every request uses the test store; default false. */
  readonly testMode?: boolean | undefined
  /** Labels of the customers, by email; default: a label for the role in the profile. */
  readonly customerLabels?: Readonly<Record<string, string>> | undefined
  /** Kind of data: `test` for the seed of the host, `shop` for a real shop; default `shop`. */
  readonly data?: 'test' | 'shop' | undefined
  /** Path of the API reference on the same server; default none. */
  readonly referencePath?: string | undefined
  /** Functions outside the API, for a shop with test data; default none. */
  readonly demo?: DemoControls | undefined
  /** Returns the shop's date `YYYY-MM-DD`; default: the date of the profile, or of `now`. */
  readonly today?: (() => string | Promise<string>) | undefined
  /** Sender of the emails; default: the host of `target.baseUrl`. */
  readonly shopName?: string | undefined
  /** Currency of the shop, ISO 4217, which sets the decimals of amounts. The API does not return it; default `USD`. */
  readonly currency?: string | undefined
  /** Options of the conformance checks. */
  readonly checks?: CheckRunOptions | undefined
  /** Folder of the built page; default: the page of this package. */
  readonly pageFolder?: string | undefined
  /** Clock that provides the current date; default: the system clock. */
  readonly now?: (() => Date) | undefined
}

/** Functions of a test shop outside its API. The page hides missing functions. */
export interface DemoControls {
  /** Returns the orders, discount uses and action runs of the shop. */
  readonly readState?: (() => Promise<DemoState>) | undefined
  /** Moves the shop's date forward and bills the orders due by then; throws DemoControlError. */
  readonly moveDate?: ((request: TimeRequest) => Promise<MovedDate>) | undefined
  /** Restores the seed data and the date; throws DemoControlError. */
  readonly reset?: (() => Promise<MovedDate>) | undefined
}

/** HTTP status of each error code. */
const statuses = {
  /** No later date is available, or the date is too far ahead. */
  date_not_moved: 400,
  /** The shop contains data that is not test data of the host. */
  not_own_data: 403,
  /** Another move or reset is running. */
  busy: 409,
  /** The date was moved, but billing failed. */
  not_billed: 500,
} as const

/** Rejects a date change or a reset. The page displays the message. */
export class DemoControlError extends Error {
  override readonly name = 'DemoControlError'
  /** Error code. */
  readonly code: keyof typeof statuses

  /** Creates the error with a message for the user of the page. */
  constructor(code: keyof typeof statuses, message: string) {
    super(message)
    this.code = code
  }

  /** HTTP status of the response. */
  get status(): number {
    return statuses[this.code]
  }
}
