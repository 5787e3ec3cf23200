import type { MovedDate, ShopInside, TimeRequest } from './protocol.ts'

/** What the page may do to a shop besides calling its API, where the shop is the host's own; what is left out is not offered. */
export interface ShopBeside {
  /** Tells what the shop has. */
  readonly look?: (() => Promise<ShopInside>) | undefined
  /** Moves the shop's date forwards and bills what is due by then; throws BesideRefusal. */
  readonly moveDate?: ((request: TimeRequest) => Promise<MovedDate>) | undefined
  /** Puts the seed back, and the date; throws BesideRefusal. */
  readonly reset?: (() => Promise<MovedDate>) | undefined
}

/** Why something besides the API is not done, with its HTTP status. */
const refusals = {
  /** There is nothing to move the date to, or it lies too far ahead. */
  date_not_moved: 400,
  /** The shop holds what is not the host's own. */
  not_own_data: 403,
  /** Another move or reset is under way. */
  busy: 409,
  /** The date was moved, and orders could not be made. */
  not_billed: 500,
} as const

/** Refuses a move or a reset; its message is a sentence for the person at the page. */
export class BesideRefusal extends Error {
  override readonly name = 'BesideRefusal'
  /** What kind of refusal it is. */
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
