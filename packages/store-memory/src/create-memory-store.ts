import { memoryLedger, type PendingClick, StoreError } from '@storeport/core'
import {
  billDue,
  bindRules,
  codeKey,
  type CustomerAccount,
  emailKey,
  findNamed,
  readBillLimit,
  readShopOptions,
  seed,
} from '@storeport/rules'
import { latestActivity, noteActivity } from './latest-activity.ts'
import type { MemoryStore, MemoryStoreOptions } from './memory-store.ts'
import { countUses, fillTables } from './tables.ts'

/**
 * A complete store in memory: for tests, and as an example of how to write a store.
 *
 * `bindRules` makes the operations: each finds the customer's account, calls the rule that knows what the operation
 * means, and saves the account that the rule returns. Over a database that is one transaction. A rule that refuses
 * throws a `StoreError`, so nothing is saved. Throws an Error that lists what is wrong with `data`.
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  const { today, currency, createShop } = readShopOptions(options)
  const data = structuredClone(options.data)
  const start = () => fillTables(data ?? seed(today(), currency), options.actions ?? {}, currency)
  let tables = start()

  /** Returns the customer's account, if there is such a customer. */
  const find = (email = '') => tables.accounts.get(emailKey(email))

  const load = (email: string) => {
    const account = find(email)
    if (account === undefined) throw new StoreError('customer_not_found')
    return account
  }

  /** Keeps what a rule returned. */
  const save = (account: CustomerAccount) => {
    noteActivity(tables, find(account.email), account)
    tables.accounts.set(emailKey(account.email), account)
  }

  /** Returns what a rule may use besides the account, during one call. */
  const look = () =>
    createShop({
      product: (id) => tables.products.get(id),
      offered: () => [...tables.products.values()].filter((product) => product.available),
      discount: (code) => {
        const terms = tables.discounts.get(codeKey(code))
        return terms && { ...terms, uses: countUses(tables, terms) }
      },
    })

  /** Makes a change and keeps its click, unless the click is a replay. Nothing else of the process runs in between. */
  const keepOnce = (click: PendingClick | undefined, change: () => void) => {
    if (click === undefined) return change()
    const { customer, named } = click
    const read = (key: string) => tables.clicks.update(key, (stored, now) => ({ result: { stored, now } }))
    const { stored, now } = read(customer)
    const kept = click.keep({ customer: stored, named: named === undefined ? undefined : read(named).stored }, now)
    if (kept.state === 'run') change()
    for (const { key, ...write } of kept.writes) tables.clicks.update(key, () => ({ result: undefined, ...write }))
  }

  return {
    currency,

    // Of custom actions, and of operations that a merchant replaces; in step with `reset`.
    ledger: { isLocal: true, update: (key, change) => tables.clicks.update(key, change) },

    ...bindRules({
      read: async (name, input, _context, rule) => rule(find(findNamed(name, input).email), input, look()),
      change: async (_name, input, { click }, rule) =>
        keepOnce(click, () => save(rule(find(input.email), input, look()))),
      keepsClicks: true,
    }),

    // Only those on the list, whatever the caller sends
    runCustomAction: async (input, context) => {
      const { email } = load(input.email)
      const run = tables.actions.get(input.action_id)
      if (run === undefined) throw new StoreError('action_not_found')
      await run(input, context)
      tables.actionsRun.push({ email, action_id: input.action_id, run_on: today() })
    },

    // The orders of those who do not call
    billDue: async (billOptions) => {
      const limit = readBillLimit(billOptions)
      const shop = look()
      let customers = 0
      let billed = 0
      for (const account of tables.accounts.values()) {
        if (customers === limit) return { billed, more: true }
        const after = billDue(account, shop)
        if (after === account) continue
        save(after)
        customers += 1
        billed += after.orders.length - account.orders.length
      }
      return { billed, more: false }
    },

    // What a test may read
    orders: (email) =>
      (email === undefined ? [...tables.accounts.values()] : [load(email)]).flatMap((account) => account.orders),
    account: find,
    get actionsRun() {
      return tables.actionsRun
    },
    latestActivity: (limit = 50) => latestActivity(tables, limit),
    forgetClicks: () => {
      tables.clicks = memoryLedger()
    },
    reset: () => {
      tables = start()
    },
  }
}
