import { buttonLabel, type CurrentSubscription, type ProductList, type SubscriptionItem } from '@storeport/core'
import { toMinor } from '@storeport/rules'
import { useCallback, useRef, useState } from 'react'
import { type EstimatedTotals, estimateTotals, formatRate } from '../values/amounts.ts'
import { daysBetween, formatDayFrom } from '../values/days.ts'
import { ClickNotice } from '../parts/notice.tsx'
import { Picture } from '../parts/picture.tsx'
import { Question } from '../parts/question.tsx'
import type { Outcome } from '../shop/outcome.ts'
import { useShop } from '../shop/shop-context.ts'
import { useClick } from '../shop/use-click.ts'
import { useRead } from '../shop/use-read.ts'
import { texts } from '../texts/texts.ts'
import { DelayQuestion } from './delay-form.tsx'
import { listSwapChoices } from './subscription-items.ts'
import { SwapQuestion } from './swap-form.tsx'
import { useChanges } from './use-changes.ts'

/** A subscription: date of the next box, buttons, items and totals. */
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
  const day = (date: string) => formatDayFrom(config.today, date)
  const close = () => openWidget(null)
  const question = { onClose: close, onRefused: reload }

  /** Closes the dialog, reloads the subscription and announces a message about the new state. */
  async function finish(say: (now: CurrentSubscription | null) => string): Promise<void> {
    close()
    changes.showNext()
    announce(say(await reload()))
  }
  /** Describes a delay. If the customer has another subscription, its box may now ship first. */
  function describeDelay(date: string, next = date): string {
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
          onDone={(date) => finish((now) => describeDelay(date, now?.next_billing_date))}
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

/** Returns the item whose swap dialog the URL names, if the subscription contains the item. */
function useSwapped(items: readonly SubscriptionItem[]): SubscriptionItem | undefined {
  const { widget } = useShop()
  // If the item disappears while its dialog is open, the dialog stays open and displays the error.
  const [last, setLast] = useState<SubscriptionItem | undefined>()
  const item = items.find(({ id }) => widget === swapPrefix + id) ?? last
  if (item === undefined || widget !== swapPrefix + item.id) return undefined
  if (item !== last) setLast(item)
  return item
}

/** Loads the general product list with the subscription, to hide the swap button of items that cannot be swapped. */
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

/** Whether the products are loaded and the item cannot be swapped for any of them. */
function isFixed(products: ProductList['products'] | undefined, item: SubscriptionItem): boolean {
  return products !== undefined && listSwapChoices(products, item).length === 0
}

/** A dialog that confirms the shipment of the next order. */
function SendNowQuestion(props: {
  total: number
  onClose: () => void
  onRefused: () => Promise<unknown>
  onDone: () => Promise<void>
}) {
  const { callShop, email, formatMoney } = useShop()
  const click = useClick()

  async function send(): Promise<void> {
    const call = () => callShop('sendNow', { email })
    await click.run(call, (hasSucceeded) => (hasSucceeded ? props.onDone() : props.onRefused()))
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
      <p>{texts.sendNow.text(formatMoney(props.total))}</p>
      <ClickNotice click={click} />
    </Question>
  )
}

/** Totals of the next order. Omits amounts that the shop does not return. */
function OrderTotals({ totals, taxRate }: { totals: EstimatedTotals; taxRate: number }) {
  const { formatMoney } = useShop()
  const words = texts.portal.totals
  const { items, discount, shipping, tax, total } = totals
  const rows = [
    { label: words.items, amount: formatMoney(items) },
    discount > 0 && { label: words.discount, amount: `−${formatMoney(discount)}`, kind: 'saving' },
    shipping !== null && { label: words.shipping, amount: shipping === 0 ? words.free : formatMoney(shipping) },
    taxRate > 0 && { label: words.tax(formatRate(taxRate)), amount: formatMoney(tax) },
    { label: words.total, amount: formatMoney(total), kind: 'total' },
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

/** An item of the subscription; without a swap button if `onSwap` is `null`. */
function PortalItem(props: { item: SubscriptionItem; changed: boolean; onSwap: (() => void) | null }) {
  const { digits, formatMoney, widgets } = useShop()
  const { item, changed, onSwap } = props
  const price = toMinor(item.price, digits)
  return (
    <li className="portal-item ruled" tabIndex={-1} data-changed={changed || undefined}>
      <Picture images={item.images} title={item.title} />
      <h4>{item.title}</h4>
      <p className="amount strong">{formatMoney(price * item.quantity)}</p>
      <div className="soft small">
        {item.description !== undefined && <p>{item.description}</p>}
        <div className="between">
          <p>
            <span className="unseen">{texts.portal.quantity(item.quantity, formatMoney(price))}</span>
            <span aria-hidden="true">
              {item.quantity} × {formatMoney(price)}
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
