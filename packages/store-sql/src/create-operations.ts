import {
  type Click,
  type ClickDocument,
  type ClickResult,
  type CompleteStorePort,
  type Context,
  StoreError,
  storesClicks,
} from '@storeport/core'
import {
  type AccountChange,
  bindRules,
  type BoundChange,
  type BoundRule,
  type CatalogueProduct,
  chargeClick,
  type ChargeOrder,
  type ShopSettings,
} from '@storeport/rules'
import { clickOfCall, createColumnLedger, readDocument, withDocument } from './account/click-column.ts'
import { type AccountInput, loadAccount, loadDiscount, loadOffered, wholeAccount } from './account/load-account.ts'
import type { AccountNeeds } from './account/account-statement.ts'
import { saveAccount } from './account/save-account.ts'
import type { Send, Waiting } from './db/connections.ts'
import type { Database } from './db/database.ts'
import { type ActionSettings, createActionRunner } from './create-action-runner.ts'

/** Settings for changes to accounts. */
interface ChangeSettings extends Pick<ShopSettings, 'createShop'> {
  /** Charges subscription orders before they are saved. */
  readonly charge?: ChargeOrder | undefined
}

/** A change of an account by a call of a method. */
interface Change {
  readonly named: AccountInput
  readonly needs: AccountNeeds
  readonly apply: AccountChange
  readonly click: Click
  /** Whether the change completes its click. The steps before a charge do not. */
  readonly isLast: boolean
}

/**
 * Creates the methods for the eleven endpoints. Each account change is one transaction. With `charge`, sendNow has several
 * transactions, and the last transaction stores the click.
 */
export function createOperations(database: Database, settings: ActionSettings & ChangeSettings): CompleteStorePort {
  const { dialect } = database
  const { createShop, charge } = settings
  // Another program can write any value into a JSON column.
  const rules = bindRules()
  const runAction = createActionRunner(database, settings)

  const read =
    <Input extends object, Output>(rule: BoundRule<Input, Output>) =>
    async (input: Input, context: Context): Promise<Output> => {
      checkText(input)
      const { email, discount_code } = rule.named(input)
      const loaded =
        email === undefined
          ? undefined
          : await database.read((_, send) => loadAccount(send, dialect, { email }, rule), context)
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
    }

  /**
   * Loads the click and the account of a locked customer, and saves the change with the click. Returns whether the
   * transaction has anything to commit. A crash never separates the change from its click.
   */
  async function applyChange(send: Send, { named, needs, apply, click, isLast }: Change) {
    const readAt = performance.now()
    const loaded = await loadAccount(send, dialect, named, needs, true)
    const begun = performance.now()
    const shop = createShop({
      product: (id) => loaded?.products.get(id),
      discount: () => loaded?.discount,
      at: loaded?.now,
    })
    if (loaded === undefined) {
      apply(undefined, shop)
      return { hasChanges: false, result: 'done' as const }
    }
    const { account, clicks, now } = loaded
    const save = async (after: typeof account, document: ClickDocument | undefined, result: ClickResult) => {
      const changed = document && withDocument(clicks, click.customer, document)
      await saveAccount(send, dialect, loaded, after, changed)
      return { hasChanges: after !== account || changed !== undefined, result }
    }
    const claimed = click.claim(readDocument(clicks, click.customer), now, readAt)
    if (claimed.result !== 'run') return save(account, claimed.document, claimed.result)
    const after = apply(account, shop)
    const ended = now + Math.floor(performance.now() - begun)
    return save(after, isLast ? click.succeed(ended).document : undefined, 'done')
  }

  /** Locks the customer and applies a change in one transaction. */
  async function transact(change: Change, waiting: Waiting, commitBy: number = Infinity): Promise<ClickResult> {
    const { click, named } = change
    click.ledger ??= createColumnLedger(database, named.email)
    const { result } = await database.transaction((_, send) => applyChange(send, change), {
      waiting,
      customer: named.email,
      // A retry is safe, because it finds the stored click if the first attempt was committed.
      repeatable: true,
      mayCommit: ({ hasChanges }) => {
        if (!hasChanges) return false
        if (commitBy === Infinity) waiting.signal.throwIfAborted()
        // Rejects a late commit, because the commit might end after the response was sent.
        if (performance.now() < commitBy) return true
        throw new StoreError('store_timeout', undefined, { outcome: 'refused' })
      },
    })
    return result
  }

  const change = <Input extends { readonly email: string }>(rule: BoundChange<Input>) =>
    storesClicks<Input>(async (input, context) => {
      checkText(input)
      const click = clickOfCall({ name: rule.operation, input, context })
      const named = { ...rule.named(input), email: input.email }
      const apply: AccountChange = (account, shop) => rule(account, input, shop)
      return transact({ named, needs: rule, apply, click, isLast: true }, context, click.commitBy)
    })

  /** Charges the order before it is saved. The click is claimed before the charge, so the method is not marked. */
  const sendCharged =
    (chargeOrder: ChargeOrder): CompleteStorePort['sendNow'] =>
    async (input, context) => {
      checkText(input)
      await chargeClick(
        chargeOrder,
        context,
        (account, shop) => rules.sendNow(account, input, shop),
        (apply, step) => {
          const isLast = step === 'complete'
          const own = { idempotencyKey: context.idempotencyKey, click: isLast ? context.click : undefined }
          const click = clickOfCall({ name: 'sendNow', input, context: own })
          // Once the pending charge is saved, only a repeat of the click could continue it. So no abort ends the later steps.
          const waiting = step === 'hold' ? context : { signal: new AbortController().signal }
          // If another request has already saved the order, a different subscription is current.
          return transact({ named: input, needs: wholeAccount, apply, click, isLast }, waiting)
        },
      )
    }

  return {
    listProducts: read(rules.listProducts),
    addProduct: change(rules.addProduct),
    undoAddProduct: change(rules.undoAddProduct),
    getSubscription: read(rules.getSubscription),
    sendNow: charge === undefined ? change(rules.sendNow) : sendCharged(charge),
    delaySubscription: change(rules.delaySubscription),
    swapProduct: change(rules.swapProduct),
    listCancelledSubscriptions: read(rules.listCancelledSubscriptions),
    reactivateSubscription: change(rules.reactivateSubscription),
    getDiscount: read(rules.getDiscount),
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
