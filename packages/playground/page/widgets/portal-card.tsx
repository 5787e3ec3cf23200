import { buttonLabel, type CurrentSubscription, type ProductList, type SubscriptionItem } from '@storeport/core'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type EstimatedTotals, estimateTotals } from '../amounts.ts'
import { daysBetween, sayDayFrom } from '../days.ts'
import type { Outcome } from '../shop/failure.ts'
import { useShop } from '../shop/shop-context.ts'
import { useRead } from '../shop/use-read.ts'
import { texts } from '../texts.ts'
import { DelayDialog } from './delay-dialog.tsx'
import { SendNowDialog } from './send-now-dialog.tsx'
import { showChange } from './show-change.ts'
import { swapChoices } from './swap-choices.ts'
import { SwapDialog } from './swap-dialog.tsx'
import { changeMark, useChanges } from './use-changes.ts'
import { sayRate } from '../say-money.ts'
import { toMinor } from '@storeport/rules'
import { Picture } from '../parts/picture.tsx'

type OpenDialog =
  | { readonly name: 'delay' }
  | { readonly name: 'sendNow' }
  | { readonly name: 'swap'; readonly item: SubscriptionItem }

/** A subscription: when the next box comes, what one can do about it, what is in it and what it costs. */
export function PortalCard(props: {
  subscription: CurrentSubscription
  reload: () => Promise<CurrentSubscription | null>
}) {
  const { announce, config, digits, openWidget } = useShop()
  const { subscription, reload } = props
  const { next_billing_date, items } = subscription
  const open = useOpenDialog(items)
  const changes = useChanges(subscription)
  const offers = useOffers()
  const card = useRef<HTMLDivElement>(null)
  const mustShow = useRef(false)
  const totals = estimateTotals(subscription, digits)
  const distance = texts.portal.inDays(daysBetween(config.today, next_billing_date))
  const day = (date: string) => sayDayFrom(config.today, date)
  const close = () => openWidget(null)

  /** What there is to say may depend on what the subscription has become. */
  async function finish(say: (now: CurrentSubscription | null) => string): Promise<void> {
    close()
    mustShow.current = true
    announce(say(await reload()))
  }

  useEffect(() => {
    if (!mustShow.current) return
    mustShow.current = false
    showChange(card.current)
  }, [changes.turn])

  return (
    <div ref={card}>
      <header className="portal-head">
        <p className="eyebrow">{texts.portal.nextBox}</p>
        <p className="portal-date" tabIndex={-1} data-changed={changeMark(changes.date, changes.turn)}>
          <time dateTime={next_billing_date}>{day(next_billing_date)}</time>
        </p>
        {distance !== null && <p className="soft">{distance}</p>}
        <PortalButtons onSendNow={() => openWidget('sendNow')} onDelay={() => openWidget('delay')} />
      </header>
      <ul className="portal-items" aria-label={texts.portal.itemsLabel}>
        {items.map((item) => (
          <PortalItem
            key={item.id}
            item={item}
            changed={changeMark(changes.items.has(item.id), changes.turn)}
            onSwap={isFixed(offers.data?.products, item) ? null : () => openWidget(swapPrefix + item.id)}
          />
        ))}
      </ul>
      {items.length === 0 && <p className="soft">{texts.portal.emptyBox}</p>}
      <OrderTotals totals={totals} taxRate={subscription.customer_tax_rate ?? 0} />
      {open?.name === 'delay' && (
        <DelayDialog
          current={next_billing_date}
          onClose={close}
          onRefused={reload}
          onDone={(date) => finish((now) => sayDelayed(date, now, day))}
        />
      )}
      {open?.name === 'sendNow' && (
        <SendNowDialog
          total={totals.total}
          onClose={close}
          onRefused={reload}
          onDone={() => finish((now) => saySent(now, day))}
        />
      )}
      {open?.name === 'swap' && (
        <SwapDialog
          item={open.item}
          offers={offers}
          onClose={close}
          onRefused={reload}
          onDone={(title) => finish(() => texts.portal.swapped(title))}
        />
      )}
    </div>
  )
}

const swapPrefix = 'swap.'

/** The question that the page's address names, if this subscription has it. */
function useOpenDialog(items: readonly SubscriptionItem[]): OpenDialog | null {
  const { widget, widgets } = useShop()
  // An item that is gone meanwhile keeps its question open, which then says so.
  const [last, setLast] = useState<SubscriptionItem | undefined>()
  const item = items.find(({ id }) => widget === swapPrefix + id) ?? last
  const isAsked = item !== undefined && widget === swapPrefix + item.id
  if (isAsked && item !== last) setLast(item)
  const { sendNowButton, delayButton, swapButton } = widgets.portal
  if (widget === 'sendNow') return sendNowButton ? { name: 'sendNow' } : null
  if (widget === 'delay') return delayButton ? { name: 'delay' } : null
  return isAsked && swapButton ? { name: 'swap', item } : null
}

function PortalButtons({ onSendNow, onDelay }: { onSendNow: () => void; onDelay: () => void }) {
  const { widgets } = useShop()
  const { sendNowButton, delayButton } = widgets.portal
  if (!sendNowButton && !delayButton) return null
  return (
    <div className="portal-buttons">
      {sendNowButton && (
        <button type="button" className="brand-button" onClick={onSendNow}>
          {buttonLabel('sendNowButton')}
        </button>
      )}
      {delayButton && (
        <button type="button" className="quiet-button" onClick={onDelay}>
          {buttonLabel('delayButton')}
        </button>
      )}
    </div>
  )
}

/** What everybody is offered: read with the subscription, so that an item that can become nothing else has no button. */
function useOffers() {
  const { callShop, widgets } = useShop()
  const { swapButton } = widgets.portal
  const load = useCallback(
    async (): Promise<Outcome<ProductList>> =>
      swapButton ? callShop('listProducts', {}) : { ok: true, data: { products: [] } },
    [callShop, swapButton],
  )
  return useRead(load)
}

/** Whether an item is known to have nothing that it could become. */
function isFixed(products: ProductList['products'] | undefined, item: SubscriptionItem): boolean {
  return products !== undefined && swapChoices(products, item).length === 0
}

/** Whoever has two boxes sees the other one now, if that has become the next. */
function sayDelayed(date: string, now: CurrentSubscription | null, day: (date: string) => string): string {
  const next = now?.next_billing_date ?? date
  return next === date ? texts.portal.delayed(day(date)) : texts.portal.delayedBehind(day(date), day(next))
}

function saySent(now: CurrentSubscription | null, day: (date: string) => string): string {
  return now === null ? texts.portal.sent : texts.portal.sentNext(day(now.next_billing_date))
}

/** What the next order costs; what the shop does not say is left out. */
function OrderTotals({ totals, taxRate }: { totals: EstimatedTotals; taxRate: number }) {
  const { sayMoney } = useShop()
  const words = texts.portal.totals
  return (
    <dl className="totals">
      <Row label={words.items} amount={sayMoney(totals.items)} />
      {totals.discount > 0 && <Row label={words.discount} amount={`−${sayMoney(totals.discount)}`} lowered />}
      {totals.shipping !== null && (
        <Row label={words.shipping} amount={totals.shipping === 0 ? words.free : sayMoney(totals.shipping)} />
      )}
      {taxRate > 0 && <Row label={words.tax(sayRate(taxRate))} amount={sayMoney(totals.tax)} />}
      <Row label={words.total} amount={sayMoney(totals.total)} total />
    </dl>
  )
}

function Row(props: { label: string; amount: string; lowered?: boolean; total?: boolean }) {
  const kind = props.total === true ? 'total' : props.lowered === true ? 'lowered' : undefined
  return (
    <div className={kind}>
      <dt>{props.label}</dt>
      <dd>{props.amount}</dd>
    </div>
  )
}

/** One item of the subscription; without `onSwap` it has no button for that. */
function PortalItem(props: {
  item: SubscriptionItem
  changed: 'odd' | 'even' | undefined
  onSwap: (() => void) | null
}) {
  const { digits, sayMoney, widgets } = useShop()
  const { item, changed, onSwap } = props
  const price = toMinor(item.price, digits)
  return (
    <li className="portal-item" tabIndex={-1} data-changed={changed}>
      <Picture images={item.images} title={item.title} />
      <h4>{item.title}</h4>
      <p className="amount">{sayMoney(price * item.quantity)}</p>
      {item.description !== undefined && <p className="portal-item-about soft small">{item.description}</p>}
      <div className="portal-item-foot">
        <p className="soft small">
          <span className="unseen">{texts.portal.quantity(item.quantity, sayMoney(price))}</span>
          <span aria-hidden="true">
            {item.quantity} × {sayMoney(price)}
          </span>
        </p>
        {widgets.portal.swapButton && onSwap !== null && (
          <button type="button" className="link-button" aria-label={texts.portal.swapItem(item.title)} onClick={onSwap}>
            {buttonLabel('swapButton')}
          </button>
        )}
      </div>
    </li>
  )
}
