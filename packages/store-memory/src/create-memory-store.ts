import { type Click, type ClickResult, completeClick, memoryLedger, StoreError, storesClicks } from '@storeport/core'
import {
  type AccountChange,
  billUncharged,
  bindRules,
  type BoundChange,
  type BoundRule,
  chargeClick,
  chargeDue,
  codeKey,
  completedClick,
  type CustomerAccount,
  emailKey,
  findDue,
  isAvailable,
  readBillLimit,
  readShopOptions,
  seed,
} from '@storeport/rules'
import { latestActivity, recordActivity } from './latest-activity.ts'
import type { MemoryStore, MemoryStoreOptions } from './memory-store.ts'
import { createCallRecord, createClickRecords } from './records.ts'
import { countUses, fillTables } from './tables.ts'

/**
 * Creates a complete store in memory, for tests and as an example of a store.
 *
 * Each operation finds the customer's account, calls a rule, and saves the account that the rule returns. A store with a
 * database runs these steps in one transaction. If a rule rejects a request, it
 * throws a `StoreError`, and nothing is saved. Throws an Error that lists the problems in `data`.
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  const { today, currency, createShop } = readShopOptions(options)
  const data = structuredClone(options.data)
  const start = () => fillTables(data ?? seed(today(), currency), options.actions ?? {}, currency)
  let tables = start()
  const record = createCallRecord()
  const rules = bindRules()
  const { clear: clearClickRecords, ...clickRecords } = createClickRecords()

  /** Returns the account of a customer; `undefined` if the customer does not exist. */
  const find = (email = '') => tables.accounts.get(emailKey(email))

  const load = (email: string) => {
    const account = find(email)
    if (account === undefined) throw new StoreError('customer_not_found')
    return account
  }

  /** Saves the account that a rule returned. */
  const save = (account: CustomerAccount) => {
    recordActivity(tables, find(account.email), account)
    tables.accounts.set(emailKey(account.email), account)
  }

  /** Creates the products, discounts and settings that a rule can use during one request. */
  const openShop = () =>
    createShop({
      product: (id) => tables.products.get(id),
      offered: () => [...tables.products.values()].filter(isAvailable),
      discount: (code) => {
        const terms = tables.discounts.get(codeKey(code))
        return terms && { ...terms, uses: countUses(tables, terms) }
      },
    })

  const read =
    <Input, Output>(rule: BoundRule<Input, Output>) =>
    async (input: Input & object) =>
      record.run(rule.operation, input, () => rule(find(rule.named(input).email), input, openShop()))

  /**
   * Applies a change and stores its click, unless the click is a replay. Runs synchronously, so that no other change
   * can run at the same time.
   */
  const applyOnce = async (email: string, click: Click | undefined, apply: AccountChange): Promise<ClickResult> => {
    const run = () => save(apply(find(email), openShop()))
    if (click === undefined) {
      run()
      return 'done'
    }
    // Read before the clock of the ledger. Otherwise, a pause between the two makes the request look older than it is.
    const readAt = performance.now()
    return tables.clicks.update<ClickResult>(click.customer, (stored, now) => {
      const claimed = click.claim(stored, now, readAt)
      if (claimed.result !== 'run') return { ...claimed, result: claimed.result }
      run()
      return { ...click.succeed(now), result: 'done' }
    })
  }

  const change = <Input extends { readonly email: string }>(rule: BoundChange<Input>) =>
    storesClicks<Input>(async (input, { click }) =>
      applyOnce(input.email, click, (account, shop) =>
        record.run(rule.operation, input, () => rule(account, input, shop)),
      ),
    )

  const { charge } = options
  /** Bills the due subscriptions of a customer, and charges their orders. */
  const billCustomer = async (email: string) => {
    if (charge === undefined) return save(billUncharged(load(email), openShop()))
    await chargeDue(async (step) => {
      const before = load(email)
      save(step(before, openShop()))
      const click = completedClick(before, load(email))
      if (click) tables.clicks.update(click.customer, (stored, now) => completeClick(stored, click.key, now))
    }, charge)
  }

  return {
    currency,
    ...clickRecords,

    // Reads `tables.clicks` for each update, because `forgetClicks` and `reset` replace the ledger.
    ledger: { isLocal: true, update: (key, decide) => tables.clicks.update(key, decide) },

    listProducts: read(rules.listProducts),
    addProduct: change(rules.addProduct),
    undoAddProduct: change(rules.undoAddProduct),
    getSubscription: read(rules.getSubscription),
    sendNow:
      charge === undefined
        ? change(rules.sendNow)
        : (input, context) =>
            record.run('sendNow', input, () =>
              chargeClick(
                charge,
                context,
                (account, shop) => rules.sendNow(account, input, shop),
                async (apply, step) => applyOnce(input.email, step === 'complete' ? context.click : undefined, apply),
              ),
            ),
    // A repeated charge has the key of its order.
    honoursIdempotencyKey: charge !== undefined,
    delaySubscription: change(rules.delaySubscription),
    swapProduct: change(rules.swapProduct),
    listCancelledSubscriptions: read(rules.listCancelledSubscriptions),
    reactivateSubscription: change(rules.reactivateSubscription),
    getDiscount: read(rules.getDiscount),

    runCustomAction: async (input, context) =>
      record.run('runCustomAction', input, async () => {
        const { email } = load(input.email)
        const run = tables.actions.get(input.action_id)
        if (run === undefined) throw new StoreError('action_not_found')
        // The click belongs to the action, and not to a change that the function makes.
        await run(input, { ...context, signal: context.signal, click: undefined })
        tables.actionsRun.push({ email, action_id: input.action_id, run_on: today() })
      }),

    billDue: async (billOptions) => {
      const limit = readBillLimit(billOptions)
      const shop = openShop()
      const failures: unknown[] = []
      const end = () => ({ billed, ...(failures.length > 0 && { failures }) })
      let customers = 0
      let billed = 0
      const keys = [...tables.accounts.keys()]
      // The sequence of the customers never changes, so the position needs no list of failed customers.
      let last = billOptions?.after?.id ?? ''
      for (const email of keys.slice(keys.indexOf(last) + 1)) {
        const account = load(email)
        if (findDue(account, shop) === undefined && !account.pending_charge) continue
        // Like the SQL store, ends the call even if all charges fail.
        if (customers === limit || customers + failures.length === 10 * limit)
          return { ...end(), more: true, after: { date: '', id: last, failed: [] } }
        last = email
        const failed = failures.length
        await billCustomer(email).catch((error: unknown) => failures.push(error))
        const orders = load(email).orders.length - account.orders.length
        billed += orders
        // With `charge`, a customer without a charge in this call does not count, for example after a decline on this day.
        if (failures.length === failed && (options.charge === undefined || orders > 0)) customers += 1
      }
      return { ...end(), more: false }
    },

    orders: (email) =>
      (email === undefined ? [...tables.accounts.values()] : [load(email)]).flatMap((account) => account.orders),
    account: find,
    get actionsRun() {
      return tables.actionsRun
    },
    get calls() {
      return record.list()
    },
    failNext: record.failNext,
    latestActivity: (limit = 50) => latestActivity(tables, limit),
    forgetClicks: () => {
      tables.clicks = memoryLedger()
    },
    reset: () => {
      record.reset()
      clearClickRecords()
      tables = start()
    },
  }
}
