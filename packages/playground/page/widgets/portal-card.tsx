import { buttonLabel, type CurrentSubscription, type ProductList, type SubscriptionItem } from '@storeport/core'
import { toMinor } from '@storeport/rules'
import { useCallback, useRef, useState } from 'react'
import { type EstimatedTotals, estimateTotals, sayRate } from '../values/amounts.ts'
import { daysBetween, sayDayFrom } from '../values/days.ts'
import { ClickNotice } from '../parts/notice.tsx'
import { Picture } from '../parts/picture.tsx'
import { Question } from '../parts/question.tsx'
import type { Outcome } from '../shop/outcome.ts'
import { useShop } from '../shop/shop-context.ts'
import { useClick } from '../shop/use-click.ts'
import { useRead } from '../shop/use-read.ts'
import { texts } from '../texts/texts.ts'
import { DelayQuestion } from './delay-question.tsx'
import { swapChoices } from './subscription-items.ts'
import { SwapQuestion } from './swap-question.tsx'
import { useChanges } from './use-changes.ts'

/** A subscription: when the next box comes, what one can do about it, what is in it and what it costs. */
export function PortalCard(props: {
  subscription: CurrentSubscription
  reload: () => Promise<CurrentSubscription | null>
}) {
  const { announce, config, digits, openWidget, widget, widgets } = useShop()
  const { subscription, reload } = props
  const { next_billing_date, items } = subscription
  const { sendNowButton, delayButton, swapButton } = widgets.portal
  const card = useRef<HTMLDivElement>(null)
  const changes = useChanges(subscription, card)
  const offers = useOffers()
  const swapped = useSwapped(items)
  const totals = estimateTotals(subscription, digits)
  const distance = texts.portal.inDays(daysBetween(config.today, next_billing_date))
  const day = (date: string) => sayDayFrom(config.today, date)
  const close = () => openWidget(null)
  const question = { onClose: close, onRefused: reload }

  /** What there is to say may depend on what the subscription has become. */
  async function finish(say: (now: CurrentSubscription | null) => string): Promise<void> {
    close()
    changes.showNext()
    announce(say(await reload()))
  }
  /** A customer with two boxes sees the other one now, if that has become the next. */
  function sayDelayed(date: string, next = date): string {
    return next === date ? texts.portal.delayed(day(date)) : texts.portal.delayedBehind(day(date), day(next))
  }

  return (
    <div ref={card}>
      <header className="portal-head">
        <p className="accent small strong">{texts.portal.nextBox}</p>
        <p className="portal-date" tabIndex={-1} data-changed={changes.date || undefined}>
          <time dateTime={next_billing_date}>{day(next_billing_date)}</time>
        </p>
        {distance !== null && <p className="soft">{distance}</p>}
        {(sendNowButton || delayButton) && (
          <div className="portal-buttons">
            {sendNowButton && (
              <button className="main-button" onClick={() => openWidget('sendNow')}>
                {buttonLabel('sendNowButton')}
              </button>
            )}
            {delayButton && (
              <button className="quiet-button" onClick={() => openWidget('delay')}>
                {buttonLabel('delayButton')}
              </button>
            )}
          </div>
        )}
      </header>
      <ul aria-label={texts.portal.itemsLabel}>
        {items.map((item) => (
          <PortalItem
            key={item.id}
            item={item}
            changed={changes.items.has(item.id)}
            onSwap={isFixed(offers.data?.products, item) ? null : () => openWidget(swapPrefix + item.id)}
          />
        ))}
      </ul>
      {items.length === 0 && <p className="soft">{texts.portal.emptyBox}</p>}
      <OrderTotals totals={totals} taxRate={subscription.customer_tax_rate ?? 0} />
      {widget === 'delay' && delayButton && (
        <DelayQuestion
          {...question}
          current={next_billing_date}
          onDone={(date) => finish((now) => sayDelayed(date, now?.next_billing_date))}
        />
      )}
      {widget === 'sendNow' && sendNowButton && (
        <SendNowQuestion
          {...question}
          total={totals.total}
          onDone={() =>
            finish((now) => (now === null ? texts.portal.sent : texts.portal.sentNext(day(now.next_billing_date))))
          }
        />
      )}
      {swapped !== undefined && swapButton && (
        <SwapQuestion
          {...question}
          item={swapped}
          offers={offers}
          onDone={(title) => finish(() => texts.portal.swapped(title))}
        />
      )}
    </div>
  )
}

const swapPrefix = 'swap.'

/** The item that the page's address asks to swap, if this subscription has it. */
function useSwapped(items: readonly SubscriptionItem[]): SubscriptionItem | undefined {
  const { widget } = useShop()
  // An item that is gone meanwhile keeps its question open, which then says so.
  const [last, setLast] = useState<SubscriptionItem | undefined>()
  const item = items.find(({ id }) => widget === swapPrefix + id) ?? last
  if (item === undefined || widget !== swapPrefix + item.id) return undefined
  if (item !== last) setLast(item)
  return item
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

/** Asks before the next order is shipped. */
function SendNowQuestion(props: {
  total: number
  onClose: () => void
  onRefused: () => Promise<unknown>
  onDone: () => Promise<void>
}) {
  const { callShop, email, sayMoney } = useShop()
  const click = useClick()

  async function send(): Promise<void> {
    const call = () => callShop('sendNow', { email })
    await click.run(call, (hasWorked) => (hasWorked ? props.onDone() : props.onRefused()))
  }
  return (
    <Question
      title={texts.sendNow.title}
      confirm={texts.sendNow.confirm}
      cancel={texts.sendNow.cancel}
      off={click.pending}
      onConfirm={send}
      onClose={props.onClose}
    >
      <p>{texts.sendNow.text(sayMoney(props.total))}</p>
      <ClickNotice click={click} />
    </Question>
  )
}

/** What the next order costs; what the shop does not say is left out. */
function OrderTotals({ totals, taxRate }: { totals: EstimatedTotals; taxRate: number }) {
  const { sayMoney } = useShop()
  const words = texts.portal.totals
  const { items, discount, shipping, tax, total } = totals
  const rows = [
    { label: words.items, amount: sayMoney(items) },
    discount > 0 && { label: words.discount, amount: `−${sayMoney(discount)}`, kind: 'saving' },
    shipping !== null && { label: words.shipping, amount: shipping === 0 ? words.free : sayMoney(shipping) },
    taxRate > 0 && { label: words.tax(sayRate(taxRate)), amount: sayMoney(tax) },
    { label: words.total, amount: sayMoney(total), kind: 'total' },
  ]
  return (
    <dl className="sums ruled">
      {rows.map(
        (row) =>
          row !== false && (
            <div key={row.label} className={row.kind}>
              <dt>{row.label}</dt>
              <dd>{row.amount}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** One item of the subscription; without `onSwap` it has no button for that. */
function PortalItem(props: { item: SubscriptionItem; changed: boolean; onSwap: (() => void) | null }) {
  const { digits, sayMoney, widgets } = useShop()
  const { item, changed, onSwap } = props
  const price = toMinor(item.price, digits)
  return (
    <li className="portal-item ruled" tabIndex={-1} data-changed={changed || undefined}>
      <Picture images={item.images} title={item.title} />
      <h4>{item.title}</h4>
      <p className="amount strong">{sayMoney(price * item.quantity)}</p>
      <div className="soft small">
        {item.description !== undefined && <p>{item.description}</p>}
        <div className="between">
          <p>
            <span className="unseen">{texts.portal.quantity(item.quantity, sayMoney(price))}</span>
            <span aria-hidden="true">
              {item.quantity} × {sayMoney(price)}
            </span>
          </p>
          {widgets.portal.swapButton && onSwap !== null && (
            <button className="link-button" aria-label={texts.portal.swapItem(item.title)} onClick={onSwap}>
              {buttonLabel('swapButton')}
            </button>
          )}
        </div>
      </div>
    </li>
  )
}
