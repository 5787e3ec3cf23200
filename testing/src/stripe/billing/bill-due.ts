import type { Stripe } from 'stripe'
import type { StripeAccount } from '../stripe-account.ts'
import { recurringOf } from './change-items.ts'
import { collectInvoice, findSubscription } from './collect-invoice.ts'
import { createInvoice, createItemLine, findPendingItems } from './create-invoice.ts'
import { findPeriod } from './find-period.ts'
import { createUnsupported } from '../stripe-failure.ts'

/**
 * Time that a renewal invoice remains a draft, in seconds
 * (docs.stripe.com/billing/invoices/subscription#subscription-lifecycle).
 */
const draftSeconds = 3600

/**
 * Runs all actions that are due by `until`, in order. Before each action, calls `setTime` with the time of that action.
 */
export function billDue(account: StripeAccount, until: number, setTime: (time: number) => void): void {
  for (;;) {
    const [next] = [...findDue(account)].toSorted((left, right) => left.time - right.time)
    if (next === undefined || next.time > until) return
    setTime(next.time)
    next.run()
  }
}

function* findDue(account: StripeAccount): Iterable<{ readonly time: number; run(): void }> {
  for (const invoice of account.invoices.values()) {
    const time = invoice.automatically_finalizes_at
    if (invoice.status === 'draft' && time !== null) yield { time, run: () => collectDraft(account, invoice) }
  }
  for (const subscription of account.subscriptions.values()) {
    if (!isRunning(subscription)) continue
    const { cancel_at } = subscription
    const renewal = renewalOf(subscription)
    if (cancel_at !== null && cancel_at <= renewal)
      yield { time: cancel_at, run: () => endSubscription(account, subscription) }
    else yield { time: renewal, run: () => renewSubscription(account, subscription, renewal) }
  }
}

/** Whether a subscription is billed at the end of its period. */
export function isRunning({ status }: Stripe.Subscription): boolean {
  return ['active', 'past_due', 'trialing'].includes(status)
}

/** Returns the renewal time in seconds since 1970: the earliest period end of the subscription's items. */
export function renewalOf({ items }: Stripe.Subscription): number {
  return Math.min(...items.data.map((item) => item.current_period_end))
}

/**
 * Returns the items of a subscription at `time`, and an invoice line for each item whose next period has started.
 * The end of a trial ends the periods of all items.
 */
export function findNextLines(
  account: StripeAccount,
  subscription: Stripe.Subscription,
  time: number,
): { readonly items: Stripe.SubscriptionItem[]; readonly lines: Stripe.InvoiceLineItem[] } {
  const lines: Stripe.InvoiceLineItem[] = []
  const items = subscription.items.data.map((item) => {
    if (item.current_period_end > time) return item
    const { start, end } = findPeriod(subscription.billing_cycle_anchor, recurringOf(item.price), time)
    lines.push(createItemLine(account, item))
    return { ...item, current_period_start: start, current_period_end: end }
  })
  return { items, lines }
}

function renewSubscription(account: StripeAccount, subscription: Stripe.Subscription, time: number): void {
  const { items: data, lines } = findNextLines(account, subscription, time)
  const status = subscription.status === 'trialing' ? 'active' : subscription.status
  const renewed: Stripe.Subscription = { ...subscription, items: { ...subscription.items, data }, status }
  account.subscriptions.set(renewed.id, renewed)
  const pending = findPendingItems(account, renewed)
  createInvoice(account, renewed, { lines, pending, finalizesAt: time + draftSeconds })
}

/** Ends a subscription whose scheduled cancellation is due (docs.stripe.com/api/subscriptions/cancel). */
function endSubscription(account: StripeAccount, subscription: Stripe.Subscription): void {
  if (findPendingItems(account, subscription).length > 0)
    throw createUnsupported('invoice items of an ended subscription')
  account.subscriptions.set(subscription.id, { ...subscription, ended_at: account.now(), status: 'canceled' })
}

function collectDraft(account: StripeAccount, draft: Stripe.Invoice): void {
  if (collectInvoice(account, draft) === undefined) return
  const subscription = findSubscription(account, draft)
  // A failed payment of the latest invoice makes a subscription past due.
  // See docs.stripe.com/billing/subscriptions/overview#subscription-statuses.
  if (subscription && isRunning(subscription))
    account.subscriptions.set(subscription.id, { ...subscription, status: 'past_due' })
}
