import type { EndpointName, NameOptions } from '@storeport/core'
import type { Profile, RunOptions } from '@storeport/conformance'
import type { CustomAction, MovedDate, ShopInside, TimeRequest } from './protocol.ts'

/** The implementation that a playground shows. */
export interface Target {
  /** Address that every path is appended to; a function where the port is known later. */
  readonly baseUrl: string | (() => string)
  /** A key that the shop accepts; it never leaves the server. */
  readonly apiKey: string
  /** The caller's word, or path prefix and header names; default `integration`. */
  readonly names?: NameOptions | undefined
  /** Answers the calls of the page in the same process, as `integration.fetch` does; default: HTTP to `baseUrl`. The checks always use HTTP. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** How a run of the conformance checks differs from the calls of the page. */
export type CheckRunOptions = Pick<RunOptions, 'secondApiKey' | 'reset' | 'cannot' | 'skips' | 'now'> & {
  /** Whether the checks ask for the test store; default as `testMode`. */
  readonly testMode?: boolean | undefined
}

/** How a playground is set up. */
export interface PlaygroundOptions {
  /** The implementation to show. */
  readonly target: Target
  /** Opens the page, as `/?token=…`, and nothing else does: a secret of 16 to 256 characters `A-Z a-z 0-9 _ -`. */
  readonly token: string
  /** Name of the cookie that keeps a browser signed in, or a function where it is known later; default: made of the token. */
  readonly cookieName?: string | (() => string) | undefined
  /** Test customers, products and codes, for the page to offer and the checks to use; default none. */
  readonly profile?: Profile | undefined
  /** Custom actions to make buttons of; default the profile's. */
  readonly actions?: readonly CustomAction[] | undefined
  /** Discount codes to offer; default the profile's. */
  readonly discountCodes?: readonly string[] | undefined
  /** The endpoints that the shop offers; default: found out by calls that change nothing. */
  readonly offered?: readonly EndpointName[] | undefined
  /** Whether every call asks for the test store; default false. */
  readonly testMode?: boolean | undefined
  /** What the shop's customers are, in words, by email; default the words of what a profile says they have. */
  readonly customerLabels?: Readonly<Record<string, string>> | undefined
  /** Whose data it is: `test` for the host's own seed; default `shop`. */
  readonly data?: 'test' | 'shop' | undefined
  /** Path of the API reference, where one is served beside the playground. */
  readonly referencePath?: string | undefined
  /** What the page may do besides the API, over data of the host's own; default nothing. */
  readonly beside?: ShopBeside | undefined
  /** Returns the shop's date `YYYY-MM-DD`; default the profile's, else that of `now`. */
  readonly today?: (() => string | Promise<string>) | undefined
  /** Sender of the emails; default the host name of the shop's address. */
  readonly shopName?: string | undefined
  /** The shop's one currency, ISO 4217: amounts have its decimals. The API does not say it; default `USD`. */
  readonly currency?: string | undefined
  /** What is different for the conformance checks. */
  readonly checks?: CheckRunOptions | undefined
  /** Folder of the built page; default: the one in this package. */
  readonly pageFolder?: string | undefined
  /** The clock that says what day it is; default the system's. */
  readonly now?: (() => Date) | undefined
}

/** What the page may do to a shop besides calling its API, where the shop is the host's own; what is left out is not offered. */
export interface ShopBeside {
  /** Returns what the shop has. */
  readonly look?: (() => Promise<ShopInside>) | undefined
  /** Moves the shop's date forwards and bills what is due by then; throws BesideRefusal. */
  readonly moveDate?: ((request: TimeRequest) => Promise<MovedDate>) | undefined
  /** Restores the seed and the date; throws BesideRefusal. */
  readonly reset?: (() => Promise<MovedDate>) | undefined
}

/** Reasons to refuse something besides the API, with their HTTP status. */
const refusals = {
  /** There is nothing to move the date to, or it is too far ahead. */
  date_not_moved: 400,
  /** The shop contains data that is not the host's own. */
  not_own_data: 403,
  /** Another move or reset is running. */
  busy: 409,
  /** The date was moved, and orders could not be made. */
  not_billed: 500,
} as const

/** Refuses a move or a reset; its message is a sentence for the person at the page. */
export class BesideRefusal extends Error {
  override readonly name = 'BesideRefusal'
  /** The reason. */
  readonly code: keyof typeof refusals

  /** Refuses with a sentence. */
  constructor(code: keyof typeof refusals, message: string) {
    super(message)
    this.code = code
  }

  /** HTTP status of the answer. */
  get status(): number {
    return refusals[this.code]
  }
}
