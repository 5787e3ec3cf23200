import {
  type Click,
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
} from '@storeport/rules'
import type { AccountNeeds } from './account/account-statement.ts'
import { type Change, changeAccount, type CommitOptions, runClick } from './account/change-account.ts'
import { clickOfCall, createColumnLedger } from './account/click-column.ts'
import {
  type AccountInput,
  loadAccount,
  loadDiscount,
  type LoadedAccount,
  loadOffered,
  wholeAccount,
} from './account/load-account.ts'
import type { Database } from './db/database.ts'
import { createActionRunner, type StoreSettings } from './create-action-runner.ts'

/**
 * Creates the methods for the eleven endpoints. Each account change is one transaction. With `charge`, sendNow has several
 * transactions, and the last transaction stores the click.
 */
export function createOperations(database: Database, settings: StoreSettings): CompleteStorePort {
  const { charge, createShop } = settings
  const { dialect } = database
  // Another program can write any value into a JSON column.
  const rules = bindRules()
  const runAction = createActionRunner(database, settings)

  const read =
    <Input extends object, Output>(rule: BoundRule<Input, Output>) =>
    async (input: Input, context: Context): Promise<Output> => {
      checkText(input)
      const { email, discount_code: code } = rule.named(input)
      const loaded =
        email === undefined
          ? undefined
          : await database.read((_, send) => loadAccount(send, dialect, { email }, rule), context)
      const discount =
        code === undefined ? undefined : await database.read((_, send) => loadDiscount(send, dialect, code), context)
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
   * Applies a change with its click. Throws the error of `apply` for an unknown customer. `isLast` is false for the steps
   * before a charge, which do not complete the click.
   */
  function applyChange(
    click: Click,
    named: AccountInput,
    needs: AccountNeeds,
    apply: AccountChange,
    options: CommitOptions,
    isLast = true,
  ): Promise<ClickResult> {
    click.ledger ??= createColumnLedger(database, named.email)
    const decide = (loaded: LoadedAccount | undefined, readAt: number): Change<ClickResult> => {
      const shop = createShop({
        product: (id) => loaded?.products.get(id),
        discount: () => loaded?.discount,
        at: loaded?.now,
      })
      if (loaded !== undefined)
        return runClick(click, loaded, readAt, () => ({ after: apply(loaded.account, shop) }), isLast)
      apply(undefined, shop)
      return { result: 'done' }
    }
    return changeAccount(database, named, needs, decide, options)
  }

  const change = <Input extends { readonly email: string }>(rule: BoundChange<Input>) =>
    storesClicks<Input>(async (input, context) => {
      checkText(input)
      const click = clickOfCall(rule.operation, input, context)
      const named = { ...rule.named(input), email: input.email }
      const apply: AccountChange = (account, shop) => rule(account, input, shop)
      return applyChange(click, named, rule, apply, { waiting: context, commitBy: click.commitBy })
    })

  /** Charges the order before it is saved. The click is claimed before the charge, so the method is not marked. */
  const sendCharged =
    (chargeOrder: ChargeOrder): CompleteStorePort['sendNow'] =>
    async (input, context) => {
      checkText(input)
      const sendNow: AccountChange = (account, shop) => rules.sendNow(account, input, shop)
      await chargeClick(chargeOrder, context, sendNow, (apply, step) => {
        const isLast = step === 'complete'
        const own = { idempotencyKey: context.idempotencyKey, click: isLast ? context.click : undefined }
        const click = clickOfCall('sendNow', input, own)
        // Once the pending charge is saved, only a repeat of the click could continue it. So no abort ends the later steps.
        const options = step === 'hold' ? { waiting: context } : {}
        // If another request has already saved the order, a different subscription is current.
        return applyChange(click, input, wholeAccount, apply, options, isLast)
      })
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
