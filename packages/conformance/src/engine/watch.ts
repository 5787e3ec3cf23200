import {
  CancelledSubscriptionList,
  CurrentSubscription,
  type EndpointName,
  endpoints,
  isErrorCode,
  ProductList,
  type SubscriptionItem,
} from '@storeport/core'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { dataOf, type Reply } from '../http/reply.ts'
import type { Profile } from '../profile/profile.ts'
import { type ChangeLog, type Customer, haveSameLines, type View } from './changes.ts'
import type { Check, Input, NamedCall } from './check.ts'
import { CheckSkip } from './check-end.ts'
import { compareViews, type Violation } from './compare-views.ts'
import { errorCodeOf } from './expectations.ts'

/** Sends a request that is neither recorded nor compared. */
type Call = (name: EndpointName, input: Input) => Promise<Reply>

/** Maximum number of changes per check that are compared individually. The remaining changes are only forgotten. */
const maxChanges = 60

/** Maximum time for the comparisons of a run, in milliseconds. It applies to slow shops. */
const maxTotalMs = 10_000

/**
 * Compares the data of all test customers before and after each change of a check. Records the additions and swaps,
 * which a failed check must revert.
 */
export function watchCheck(
  check: Check,
  { products, maxQuantity }: Profile,
  log: ChangeLog,
  offered: readonly EndpointName[],
  { send, farDates }: { readonly send: Call; readonly farDates: boolean },
) {
  const isOwnCheck = check.requirements.some((id) => id.startsWith('FRAME-'))
  let changes = 0
  let isStarted = false
  let found: Violation | undefined
  /** Successful additions and swaps, oldest first. */
  const made: NamedCall[] = []
  /** Additions and swaps without an undo, oldest first. */
  let open: NamedCall[] = []
  /** The first known subscription of each customer, by email address. */
  const originals = new Map<string, CurrentSubscription>()
  /** The customer of each request of the check. */
  const emails: string[] = []

  // The exploration compares all customers itself.
  const isActive = () =>
    check.isExploration !== true &&
    offered.includes('getSubscription') &&
    !log.reads.isLimited &&
    (isOwnCheck || log.reads.ms < maxTotalMs)

  async function read(name: EndpointName, email: string): Promise<Reply> {
    const started = performance.now()
    const reply = await send(name, { email }).finally(() => (log.reads.ms += performance.now() - started))
    if (reply.status === 429) log.reads.isLimited = true
    return reply
  }

  /** Reads the data of a customer; `undefined` if a response is not valid. Other checks report such a response. */
  async function readView({ email }: Customer): Promise<View | undefined> {
    const reply = await read('getSubscription', email)
    const { data } = z.safeParse(CurrentSubscription, dataOf(reply))
    if (data === undefined && reply.status !== 404) return undefined
    const current = data === undefined ? null : { ...data, items: withoutIds(data.items) }
    if (!offered.includes('listCancelledSubscriptions')) return { current, cancelled: [] }
    const list = await read('listCancelledSubscriptions', email)
    const parsed = z.safeParse(CancelledSubscriptionList, dataOf(list))
    if (!parsed.success && list.status !== 404) return undefined
    const cancelled = parsed.data?.subscriptions.map((one) => ({ ...one, products: withoutIds(one.products) })) ?? []
    return { current, cancelled }
  }

  const tryView = (customer: Customer) => readView(customer).catch(() => undefined)

  const unitsOf = ({ quantity = 1 }: Input) =>
    typeof quantity === 'number' && quantity > 0 && quantity <= maxQuantity ? quantity : 0

  /** Throws CheckSkip if the open and the given additions together exceed the available units in the profile. */
  function limitUnits(calls: readonly NamedCall[]): void {
    for (const { id, available = Infinity } of products.listed) {
      const adds = [...open, ...calls].filter(({ name, input }) => name === 'addProduct' && input['product_id'] === id)
      const units = adds.reduce((sum, { input }) => sum + unitsOf(input), 0)
      if (units > available) throw new CheckSkip(`the profile allows only ${available} units of ${id}`)
    }
  }

  return {
    /** Reads the customers before the first change of the check. */
    async start(): Promise<void> {
      if (isStarted || !isActive()) return
      isStarted = true
      for (const customer of log.customers) customer.view ??= await tryView(customer)
    },
    /** Forgets each customer whose address is in a text, since the effect of the request is unknown. */
    touch(text: string): void {
      const lower = text.toLowerCase()
      for (const customer of log.customers.filter(({ email }) => lower.includes(email))) {
        customer.view = undefined
        if (lower.includes('discount_code')) customer.hasCode = true
      }
    },
    /**
     * Returns the customer's data before a change; `undefined` if the change is not compared. Throws CheckSkip if the
     * requests exceed a limit of the run or of the profile.
     */
    async before(...calls: readonly NamedCall[]): Promise<View | undefined> {
      emails.push(...calls.map(({ input }) => String(input['email'])))
      limitUnits(calls)
      if (!farDates) for (const call of calls) log.limitDelay(call)
      const [call] = calls
      if (calls.length === 1 && call !== undefined && endpoints[call.name].method === 'GET') return undefined
      await this.start()
      if (calls.length !== 1 || call === undefined) return void this.touch(JSON.stringify(calls))
      const customer = log.find(call.input['email'])
      if (customer === undefined) return undefined
      const isCompared = changes++ < maxChanges && isActive()
      return (customer.view = isCompared ? (customer.view ?? (await tryView(customer))) : undefined)
    },
    /**
     * Records a change, and compares the customer's data with the data before. Throws CheckSkip if the shop has fewer
     * units of a product than the check requires.
     */
    async after(change: NamedCall, reply: Reply, before?: View): Promise<void> {
      const { name, input } = change
      const { email, product_id } = input
      const customer = log.find(email)
      if (before !== undefined && customer !== undefined) {
        const after = reply.status < 500 ? await tryView(customer) : undefined
        const operation = { name, input, isAccepted: reply.status < 400, hasCode: customer.hasCode === true }
        if (operation.isAccepted && typeof input['discount_code'] === 'string') customer.hasCode = true
        customer.view = after
        const violation = after && compareViews(operation, before, after)
        if (violation !== undefined) found ??= { ...violation, reply }
      }
      log.note(change, reply)
      const use = `${name} ${String(email)}`
      if (reply.status === 200) log.uses.set(use, (log.uses.get(use) ?? new Set()).add(check.id))
      if (typeof email !== 'string') return
      if (name === 'getSubscription' && !originals.has(email) && made.length === 0) {
        const { data } = z.safeParse(CurrentSubscription, dataOf(reply))
        if (data !== undefined) originals.set(email, data)
      }
      if (reply.status === 200 && (name === 'addProduct' || name === 'swapProduct')) {
        made.push(change)
        open.push(change)
      }
      if (reply.status === 200 && name === 'undoAddProduct') {
        const at = open.findLastIndex(
          (one) => one.name === 'addProduct' && one.input['email'] === email && one.input['product_id'] === product_id,
        )
        open = open.filter((_, index) => index !== at)
      }
      if (name === 'addProduct' && customer !== undefined && isShortOfUnits(reply, unitsOf(input)))
        throw new CheckSkip(`the shop has fewer than ${unitsOf(input)} units of ${String(product_id)}`)
    },
    /** Names the checks whose requests to an endpoint used up the data of this check's customers, and the remedy. */
    describeUses(by: EndpointName): string {
      const ids = new Set(emails.flatMap((email) => [...(log.uses.get(`${by} ${email}`) ?? [])]))
      ids.delete(check.id)
      const used = ids.size === 0 ? '' : ` (used by ${[...ids].join(', ')})`
      const { field = 'customers.empty' } = log.find(emails.at(-1)) ?? {}
      const state = field === 'customers.empty' ? undefined : unusedState[by]
      return used + (state === undefined ? '' : `; to avoid this, set ${field} to a customer with ${state}`)
    },
    /** Compares all customers with their last known data. Returns the first difference of the check. */
    async end(): Promise<Violation | undefined> {
      if (!isStarted || found !== undefined || !isActive()) return found
      for (const customer of log.customers) {
        const before = customer.view
        const after = before && (await tryView(customer))
        customer.view = after
        if (before === undefined || after === undefined || isDeepStrictEqual(after, before)) continue
        found ??= {
          requirement: 'CUSTOMER-2',
          expected: `the data of ${customer.field} not to change through requests for other customers or through reads`,
          received: `${JSON.stringify(after)} instead of ${JSON.stringify(before)}`,
        }
      }
      return found
    },
    /**
     * Undoes the additions and reverses the swaps, latest first, until the lines are the original ones. An undo of the
     * check may have been a repeat, which left its addition. Returns the customers whose lines still differ.
     */
    async takeBack(call: Call): Promise<readonly string[]> {
      const isRestored = async (email: string) => {
        const [original, now] = [originals.get(email), await readLines(call, email)]
        return original !== undefined && now !== undefined && haveSameLines(original, now)
      }
      const changed = new Set(made.map(({ input }) => String(input['email'])))
      for (const change of made.splice(0).toReversed()) {
        const { name, input } = change
        const email = String(input['email'])
        if (await isRestored(email)) continue
        const { product_id } = input
        if (name === 'swapProduct') await reverse(call, input, originals.get(email)?.items.length)
        else if (open.includes(change) || originals.has(email)) await call('undoAddProduct', { email, product_id })
      }
      const left: string[] = []
      for (const email of changed) if (!(await isRestored(email))) left.push(email)
      return left
    },
  }
}

/** State of a customer's data that requests to an endpoint have not used up. */
const unusedState: Readonly<Partial<Record<EndpointName, string>>> = {
  sendNow: 'an active subscription and no order of today',
  reactivateSubscription: 'a cancelled subscription that can be reactivated',
}

async function readLines(call: Call, email: string): Promise<CurrentSubscription | undefined> {
  return z.safeParse(CurrentSubscription, dataOf(await call('getSubscription', { email }))).data
}

/** Returns whether a shop rejected an addition because of low stock. A shop may use its own error code. */
function isShortOfUnits(reply: Reply, units: number): boolean {
  const code = errorCodeOf(reply)
  if (units < 2 || ![400, 409, 422].includes(reply.status)) return false
  return code === 'product_unavailable' || (units > 3 && code !== undefined && !isErrorCode(code))
}

/** Reverses a swap that merged no lines. Finds the line by id or title, since an item id is not always a product id. */
async function reverse(call: Call, input: Input, lines: number | undefined): Promise<void> {
  const { email, current_item_id, new_product_id } = input
  const data = await readLines(call, String(email))
  const { data: list } = z.safeParse(ProductList, dataOf(await call('listProducts', {})))
  const title = list?.products.find(({ id }) => id === new_product_id)?.title
  const line = data?.items.find((item) => item.id === new_product_id || item.title === title)
  if (line === undefined || data?.items.length !== lines) return
  await call('swapProduct', { email, current_item_id: line.id, new_product_id: current_item_id })
}

/** Removes the ids of lines, since an id is unique only within one response. */
function withoutIds(items: readonly SubscriptionItem[]): SubscriptionItem[] {
  return items.map((item) => ({ ...item, id: '' }))
}
