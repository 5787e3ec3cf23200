import type { DiscountUse, Order } from '../account/customer-account.ts'

/** What customers of a shop did last, for a page that shows it to a person; of each kind the latest comes first. */
export interface ShopActivity {
  /** Orders. */
  readonly orders: readonly (Order & Whose)[]
  /** Uses of discount codes; of one day, those that wait for the next order come first. */
  readonly discount_uses: readonly (DiscountUse & Whose)[]
  /** Custom actions that were run. */
  readonly actions_run: readonly (Whose & {
    /** The action. */
    readonly action_id: string
    /** The day, `YYYY-MM-DD`. */
    readonly run_on: string
  })[]
}

interface Whose {
  /** The customer's email, as the shop writes it. */
  readonly email: string
}
