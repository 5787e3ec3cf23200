import { CurrentSubscription, type EndpointName, isErrorCode, ProductList } from '@storeport/core'
import * as z from 'zod/mini'
import { haveSameLines } from './changes.ts'
import { CheckSkip } from './check-end.ts'
import { errorCodeOf } from './expectations.ts'
import { dataOf, type Reply } from '../http/reply.ts'
import type { Profile } from '../profile/profile.ts'

type Input = Readonly<Record<string, unknown>>

interface Change {
  readonly name: EndpointName
  readonly input: Input
}

/** Sends a request that is not recorded as a change. */
type Call = (name: EndpointName, input: Input) => Promise<Reply>

/** Creates the record of a check's additions and swaps, which a failed check must revert. */
export function createTraces({ products, customers, maxQuantity }: Profile) {
  /** Successful additions and swaps, oldest first. */
  const made: Change[] = []
  /** Additions and swaps without an undo, oldest first. */
  let open: Change[] = []
  /** The first known subscription of each customer, by email address. */
  const before = new Map<string, CurrentSubscription>()

  const unitsOf = ({ quantity = 1 }: Input) =>
    typeof quantity === 'number' && quantity > 0 && quantity <= maxQuantity ? quantity : 0

  /** Returns whether a customer's lines are the same as before the check. */
  async function isRestored(call: Call, email: string): Promise<boolean> {
    const was = before.get(email)
    const now = await read(call, email)
    return was !== undefined && now !== undefined && haveSameLines(was, now)
  }

  return {
    /** Throws CheckSkip if the open and the given additions together exceed the available units in the profile. */
    limitUnits(calls: readonly Change[]): void {
      for (const { id, available = Infinity } of products.listed) {
        const adds = [...open, ...calls].filter(
          ({ name, input }) => name === 'addProduct' && input['product_id'] === id,
        )
        const units = adds.reduce((sum, { input }) => sum + unitsOf(input), 0)
        if (units > available) throw new CheckSkip(`the profile allows only ${available} units of ${id}`, false)
      }
    },
    /**
     * Records the change that a response confirms. Throws CheckSkip if the shop has fewer units of a product than the
     * check requires.
     */
    note(name: EndpointName, input: Input, reply: Reply): void {
      const { email, product_id } = input
      if (typeof email !== 'string') return
      if (name === 'getSubscription' && !before.has(email) && made.length === 0) {
        const { data } = z.safeParse(CurrentSubscription, dataOf(reply))
        if (data !== undefined) before.set(email, data)
      }
      if (reply.status === 200 && (name === 'addProduct' || name === 'swapProduct')) {
        const change = { name, input }
        made.push(change)
        open.push(change)
      }
      if (reply.status === 200 && name === 'undoAddProduct') {
        const isUndone = (one: Input) => one['email'] === email && one['product_id'] === product_id
        const at = open.findLastIndex((one) => one.name === 'addProduct' && isUndone(one.input))
        open = open.filter((_, index) => index !== at)
      }
      const isKnown = email !== customers.unknown && Object.values(customers).includes(email)
      if (name === 'addProduct' && isKnown && isShortOfUnits(reply, unitsOf(input)))
        throw new CheckSkip(`the shop has fewer than ${unitsOf(input)} units of ${String(product_id)}`, false)
    },
    /**
     * Undoes the additions and reverses the swaps, latest first, until the lines are the original ones. An undo of the
     * check may have been a repeat, which left its addition. Returns the customers whose lines still differ.
     */
    async takeBack(call: Call): Promise<readonly string[]> {
      const emails = [...new Set(made.map(({ input }) => String(input['email'])))]
      for (const change of made.splice(0).toReversed()) {
        const { name, input } = change
        const email = String(input['email'])
        if (await isRestored(call, email)) continue
        const { product_id } = input
        if (name === 'swapProduct') await reverse(call, input, before.get(email)?.items.length)
        else if (open.includes(change) || before.has(email)) await call('undoAddProduct', { email, product_id })
      }
      const left: string[] = []
      for (const email of emails) if (!(await isRestored(call, email))) left.push(email)
      return left
    },
  }
}

async function read(call: Call, email: string): Promise<CurrentSubscription | undefined> {
  return z.safeParse(CurrentSubscription, dataOf(await call('getSubscription', { email }))).data
}

/** Returns whether a shop rejected an addition because of low stock. A shop may use its own error code. */
function isShortOfUnits(reply: Reply, units: number): boolean {
  const code = errorCodeOf(reply)
  if (units < 2 || ![400, 409, 422].includes(reply.status)) return false
  return code === 'product_unavailable' || (units > 3 && code !== undefined && !isErrorCode(code))
}

/**
 * Reverses a swap, unless the swap merged two lines. Finds the line by id or title, since an item id is not always a
 * product id.
 */
async function reverse(call: Call, input: Input, lines: number | undefined): Promise<void> {
  const { email, current_item_id, new_product_id } = input
  const data = await read(call, String(email))
  const { data: list } = z.safeParse(ProductList, dataOf(await call('listProducts', {})))
  const title = list?.products.find(({ id }) => id === new_product_id)?.title
  const line = data?.items.find((item) => item.id === new_product_id || item.title === title)
  if (line === undefined || data?.items.length !== lines) return
  await call('swapProduct', { email, current_item_id: line.id, new_product_id: current_item_id })
}
