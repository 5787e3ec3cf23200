import {
  type Click,
  type ClickDocument,
  type CompleteStorePort,
  type Context,
  type InputOf,
  StoreError,
} from '@storeport/core'
import {
  allRules,
  bindRules,
  type CatalogueProduct,
  type ChangeName,
  type ChargeOrder,
  type CustomerAccount,
  findNamed,
  type Rule,
  type ShopSettings,
} from '@storeport/rules'
import { createColumnLedger, readDocument, withDocument } from './account/click-column.ts'
import { wholeAccount, loadAccount, loadDiscount, loadOffered } from './account/load-account.ts'
import { saveAccount } from './account/save-account.ts'
import { clickOfCall } from './click-of-call.ts'
import type { Send } from './db/connections.ts'
import type { Database } from './db/database.ts'
import { type ActionSettings, createActionRunner } from './create-action-runner.ts'

/** A call of a method that changes an account. */
interface Change<Name extends ChangeName> {
  readonly name: Name
  readonly input: InputOf<Name>
  readonly context: Context
  /** Whether the call makes the change and stores its click. Other calls charge orders before the change. */
  readonly isLast: boolean
}

/** Settings for changes to accounts. */
interface ChangeSettings extends Pick<ShopSettings, 'createShop'> {
  /** Charges subscription orders before they are saved. */
  readonly charge?: ChargeOrder | undefined
}

/** Applies a rule to an account and saves the result; throws StoreError. */
type ChangeAccount = <Name extends ChangeName>(
  change: Change<Name>,
  rule: Rule<CustomerAccount | undefined, InputOf<Name>, CustomerAccount>,
) => Promise<void>

/**
 * Creates a function that locks the customer, loads the click and the account, calls the rule, and saves the change
 * with the click. All steps are in one transaction, so a crash never separates the change from its click.
 */
function createAccountChange(database: Database, { createShop, charge }: ChangeSettings): ChangeAccount {
  const { dialect } = database

  /** Runs the statements of the transaction; returns whether the transaction has anything to commit. */
  async function change<Name extends ChangeName>(
    send: Send,
    click: Click,
    { name, input, isLast }: Change<Name>,
    rule: Rule<CustomerAccount | undefined, InputOf<Name>, CustomerAccount>,
  ): Promise<boolean> {
    const named = { ...findNamed(name, input), email: input.email }
    // If another request has already saved the order of sendNow, a different subscription is current.
    const needs = charge !== undefined && name === 'sendNow' ? wholeAccount : allRules[name]
    const readAt = performance.now()
    const loaded = await loadAccount(send, dialect, named, needs, true)
    const begun = performance.now()
    const shop = createShop({
      product: (id) => loaded?.products.get(id),
      discount: () => loaded?.discount,
      at: loaded?.now,
    })
    if (loaded === undefined) {
      rule(undefined, input, shop)
      return false
    }
    const { account, clicks, now } = loaded
    const save = async (after: CustomerAccount, document: ClickDocument | undefined) => {
      const changed = document && withDocument(clicks, click.customer, document)
      await saveAccount(send, dialect, loaded, after, changed)
      return after !== account || changed !== undefined
    }
    const claimed = click.claim(readDocument(clicks, click.customer), now, readAt)
    if (claimed.result !== 'run') return save(account, claimed.document)
    const after = rule(account, input, shop)
    const ended = now + Math.floor(performance.now() - begun)
    return save(after, isLast ? click.succeed(ended).document : undefined)
  }

  return async (call, rule) => {
    const { context, input } = call
    const click = clickOfCall(call)
    click.ledger ??= createColumnLedger(database, input.email)
    const { commitBy } = click
    await database.transaction((_, send) => change(send, click, call, rule), {
      waiting: context,
      customer: input.email,
      // A retry is safe, because it finds the stored click if the first attempt was committed.
      repeatable: true,
      mayCommit: (hasChanges) => {
        if (!hasChanges) return false
        if (commitBy === Infinity) context.signal.throwIfAborted()
        // Rejects a late commit, because the commit might end after the response was sent.
        if (performance.now() < commitBy) return true
        throw new StoreError('store_timeout', undefined, { outcome: 'refused' })
      },
    })
  }
}

/**
 * Creates the methods for the eleven endpoints. Each account change is one transaction. With `charge`, a change that
 * must charge an order has several transactions, and the last transaction stores the click.
 */
export function createOperations(database: Database, settings: ActionSettings & ChangeSettings): CompleteStorePort {
  const { dialect } = database
  const { createShop } = settings
  const changeAccount = createAccountChange(database, settings)
  const runAction = createActionRunner(database, settings)

  const bound = bindRules({
    read: async (name, input, context, rule) => {
      checkText(input)
      const { email, discount_code } = findNamed(name, input)
      const loaded =
        email === undefined
          ? undefined
          : await database.read((_, send) => loadAccount(send, dialect, { email }, allRules[name]), context)
      const discount =
        discount_code === undefined
          ? undefined
          : await database.read((_, send) => loadDiscount(send, dialect, discount_code), context)
      let offered: readonly CatalogueProduct[] = []
      let usesOffered = false
      const shop = createShop({
        product: (id) => loaded?.products.get(id),
        discount: () => discount,
        offered: () => {
          usesOffered = true
          return offered
        },
      })
      // Loads the general product list, which can be long, only if the rule used the list.
      const output = rule(loaded?.account, input, shop)
      if (!usesOffered) return output
      offered = await database.read((_, send) => loadOffered(send, dialect), context)
      return rule(loaded?.account, input, shop)
    },

    storesClicks: true,
    hasValidAccounts: true,
    charge: settings.charge,
    change: async (name, input, context, rule, isLast) => {
      checkText(input)
      await changeAccount({ name, input, context, isLast }, rule)
    },
  })
  return {
    ...bound,
    runCustomAction: async (input, context) => {
      checkText(input)
      await runAction(input, context)
    },
  }
}

/**
 * Throws StoreError `invalid_request` for control characters and lone surrogates, which a database would reject,
 * truncate or change. The integration also rejects such requests, but a store can be called without the integration.
 */
function checkText(input: object): void {
  for (const [field, value] of Object.entries(input)) {
    if (typeof value === 'string' && /[\p{Cc}\p{Cs}]/u.test(value)) {
      throw new StoreError('invalid_request', `${field}: must not contain control characters`)
    }
  }
}
