import type { Stripe } from 'stripe'
import { findResource, idOf, type StripeAccount } from '../stripe-account.ts'
import { recurringOf } from './change-items.ts'
import { finalizeInvoice, payInvoice } from './collect-invoice.ts'
import { createInvoice, findPendingItems } from './create-invoice.ts'
import { createItemLine } from './create-line.ts'
import { findPeriod } from './find-period.ts'

/** A renewal's invoice is a draft for about an hour (docs.stripe.com/billing/invoices/subscription#subscription-lifecycle). */
const draftSeconds = 3600
/** "Up to 23 hours to pay the first invoice" (docs.stripe.com/billing/subscriptions/overview#subscription-statuses). */
const incompleteSeconds = 23 * 3600

/** Something that Stripe does by itself, and when. */
interface Due {
  readonly time: number
  run(): void
}

/** Does what comes due until a time, in the order in which it does; `setTime` is called with the time of each. */
export function billDue(account: StripeAccount, until: number, setTime: (time: number) => void): void {
  for (;;) {
    const [next] = [...findDue(account)].toSorted((left, right) => left.time - right.time)
    if (next === undefined || next.time > until) return
    setTime(next.time)
    next.run()
  }
}

function* findDue(account: StripeAccount): Iterable<Due> {
  for (const invoice of account.invoices.values()) {
    const time = invoice.automatically_finalizes_at
    if (invoice.status === 'draft' && time !== null) yield { time, run: () => collectDraft(account, invoice) }
  }
  for (const subscription of account.subscriptions.values()) {
    const { id, cancel_at, created, pause_collection, status } = subscription
    if (status === 'incomplete')
      yield {
        time: created + incompleteSeconds,
        run: () =>
          void account.subscriptions.set(id, {
            ...subscription,
            status: 'incomplete_expired',
            ended_at: account.now(),
          }),
      }
    if (!isRunning(subscription)) continue
    if (typeof pause_collection?.resumes_at === 'number')
      yield {
        time: pause_collection.resumes_at,
        run: () => void account.subscriptions.set(id, { ...subscription, pause_collection: null }),
      }
    const renewal = Math.min(...subscription.items.data.map((item) => item.current_period_end))
    if (cancel_at !== null && cancel_at <= renewal)
      yield { time: cancel_at, run: () => endSubscription(account, subscription) }
    else yield { time: renewal, run: () => renewSubscription(account, subscription, renewal) }
  }
}

/** Whether a subscription goes on being billed. */
export function isRunning({ status }: Stripe.Subscription): boolean {
  return ['active', 'past_due', 'trialing'].includes(status)
}

/** The items whose period is over, with their next one; a trial's end is the end of every item's period. */
export function findNextLines(
  account: StripeAccount,
  subscription: Stripe.Subscription,
  time: number,
): { readonly items: Stripe.SubscriptionItem[]; readonly lines: Stripe.InvoiceLineItem[] } {
  const lines: Stripe.InvoiceLineItem[] = []
  const items = subscription.items.data.map((item) => {
    if (item.current_period_end > time) return item
    const { start, end } = findPeriod(subscription.billing_cycle_anchor, recurringOf(item.price), time)
    lines.push(createItemLine(account, item, { start, end }))
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
  const invoice = createInvoice(account, renewed, {
    reason: 'subscription_cycle',
    lines,
    pending,
    finalizesAt: time + draftSeconds,
  })
  pauseInvoice(account, invoice, renewed.pause_collection)
}

/** What becomes of the invoices that a paused subscription still makes: docs.stripe.com/billing/subscriptions/pause-payment. */
function pauseInvoice(
  account: StripeAccount,
  invoice: Stripe.Invoice,
  pause: Stripe.Subscription.PauseCollection | null,
): void {
  if (pause === null) return
  const statuses: Readonly<Record<string, Stripe.Invoice.Status>> = {
    mark_uncollectible: 'uncollectible',
    void: 'void',
  }
  account.invoices.set(invoice.id, {
    ...invoice,
    auto_advance: false,
    automatically_finalizes_at: null,
    next_payment_attempt: null,
    status: statuses[pause.behavior] ?? 'draft',
  })
}

/** The end that `cancel_at_period_end` or `cancel_at` set; what is pending is still billed (docs.stripe.com/api/subscriptions/cancel). */
function endSubscription(account: StripeAccount, subscription: Stripe.Subscription): void {
  const pending = findPendingItems(account, subscription).filter((item) => item.parent !== null)
  account.subscriptions.set(subscription.id, { ...subscription, ended_at: account.now(), status: 'canceled' })
  if (pending.length === 0) return
  createInvoice(account, subscription, {
    reason: 'subscription_cycle',
    lines: [],
    pending,
    finalizesAt: account.now() + draftSeconds,
  })
}

function collectDraft(account: StripeAccount, draft: Stripe.Invoice): void {
  const failure = payInvoice(account, finalizeInvoice(account, draft))
  const id = draft.parent?.subscription_details?.subscription
  if (failure === undefined || id === undefined) return
  const subscription = findResource(account.subscriptions, 'subscription', idOf(id))
  // docs.stripe.com/billing/subscriptions/overview#subscription-statuses: payment on the latest invoice failed.
  if (isRunning(subscription)) account.subscriptions.set(subscription.id, { ...subscription, status: 'past_due' })
}
