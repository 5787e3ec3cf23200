import { buttonLabel, type CurrentSubscription, type ProductList, type SubscriptionItem } from '@storeport/core'
import { toMinor } from '@storeport/rules'
import { useEffect, useRef, useState } from 'react'
import { type EstimatedTotals, estimateTotals, formatRate } from '../values/amounts.ts'
import { daysBetween, describeDistance, formatDayFrom } from '../values/days.ts'
import { ReadNotice } from '../parts/notice.tsx'
import { Picture, Skeleton } from '../parts/pictures.tsx'
import { useShop } from '../shop/shop-context.ts'
import { type ReadState, useRead } from '../shop/use-read.ts'
import { keepUnits } from '../texts.ts'
import { highlight, showChange } from './focus.ts'
import { DelayQuestion, SendNowQuestion, SwapQuestion } from './questions.tsx'
import { compareSubscriptions, listSwapChoices } from './subscription-items.ts'

/** The customer's subscription with its buttons. `onChange` reloads the email and returns the subscription. */
export function Portal({
  read: { data, previous, ...read },
  onChange,
}: {
  read: ReadState<CurrentSubscription>
  onChange: () => Promise<CurrentSubscription | null>
}) {
  return (
    <section className="widget portal card" aria-label="Your subscription" aria-busy={read.busy} tabIndex={-1}>
      <ReadNotice read={{ ...read, previous }} />
      {read.waiting && <Skeleton rows={2} />}
      {data !== null && read.failure === null && (
        <PortalCard subscription={data} previous={previous ?? data} onChange={onChange} />
      )}
    </section>
  )
}

/** A subscription: date of the next box, buttons, items and totals. */
function PortalCard(props: {
  subscription: CurrentSubscription
  previous: CurrentSubscription
  onChange: () => Promise<CurrentSubscription | null>
}) {
  const { announce, config, digits, openWidget, widget, widgets } = useShop()
  const { subscription, previous, onChange } = props
  const { next_billing_date, items } = subscription
  const { sendNowButton, delayButton, swapButton } = widgets.portal
  const card = useRef<HTMLDivElement>(null)
  const changes = compareSubscriptions(previous, subscription)
  const mustShow = useRef(false)
  const offers = useRead('listProducts', {}, swapButton)
  const swapped = useSwapped(items)
  const totals = estimateTotals(subscription, digits)
  const distance = describeDistance(daysBetween(config.today, next_billing_date))
  const day = (date: string) => formatDayFrom(config.today, date)
  const close = () => openWidget(null)
  const question = { onClose: close, onRefused: onChange }

  useEffect(() => {
    const changed = [...(card.current?.querySelectorAll<HTMLElement>('[data-changed]') ?? [])]
    changed.forEach(highlight)
    if (mustShow.current) showChange(changed[0])
    mustShow.current = false
  }, [subscription])

  /** Closes the dialog, reloads the email, shows the change and announces a message about the new state. */
  async function finish(say: (now: CurrentSubscription | null) => string): Promise<void> {
    close()
    mustShow.current = true
    announce(say(await onChange()))
  }
  /** Returns a message about a delay. If the customer has another subscription, its box may now ship first. */
  function describeDelay(date: string, next = date): string {
    return next === date
      ? `Your box moves to ${day(date)}.`
      : `Your box moves to ${day(date)}. Your other box ships first, on ${day(next)}.`
  }

  function describeShipment(now: CurrentSubscription | null): string {
    const next = now === null ? '' : ` The next box is planned for ${day(now.next_billing_date)}.`
    return `Your box is on its way.${next}`
  }

  return (
    <div ref={card}>
      <header className="portal-head">
        <p className="accent small strong">Next box</p>
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
      <ul aria-label="In your box">
        {items.map((item) => (
          <PortalItem
            key={item.id}
            item={item}
            changed={changes.items.has(item.id)}
            onSwap={canSwap(offers.data, item) ? () => openWidget(swapPrefix + item.id) : null}
          />
        ))}
      </ul>
      {items.length === 0 && <p className="soft">Your box is still empty.</p>}
      <OrderTotals totals={totals} taxRate={subscription.customer_tax_rate ?? 0} />
      {widget === 'delay' && delayButton && (
        <DelayQuestion
          {...question}
          current={next_billing_date}
          onDone={(date) => finish((now) => describeDelay(date, now?.next_billing_date))}
        />
      )}
      {widget === 'sendNow' && sendNowButton && (
        <SendNowQuestion {...question} total={totals.total} onDone={() => finish((now) => describeShipment(now))} />
      )}
      {swapped !== undefined && swapButton && (
        <SwapQuestion
          {...{ ...question, offers }}
          item={swapped}
          onDone={(title) => finish(() => `Swapped: ${title} is in your box now.`)}
        />
      )}
    </div>
  )
}

const swapPrefix = 'swap.'

/** Returns the item of the swap dialog in the URL, if the subscription contains the item. */
function useSwapped(items: readonly SubscriptionItem[]): SubscriptionItem | undefined {
  const { widget } = useShop()
  // If the item is removed while its dialog is open, the dialog stays open and displays the error.
  const [last, setLast] = useState<SubscriptionItem | undefined>()
  const item = items.find(({ id }) => widget === swapPrefix + id) ?? last
  if (item === undefined || widget !== swapPrefix + item.id) return undefined
  if (item !== last) setLast(item)
  return item
}

/** Whether the shop offers another product for the item. Returns true until the product list is loaded. */
function canSwap(offers: ProductList | null, item: SubscriptionItem): boolean {
  return offers === null || listSwapChoices(offers.products, item).length > 0
}

/** Totals of the next order. Omits amounts that the shop does not return. */
function OrderTotals({ totals, taxRate }: { totals: EstimatedTotals; taxRate: number }) {
  const { formatMoney } = useShop()
  const { items, discount, shipping, tax, total } = totals
  const rows = [
    { label: 'Items', amount: formatMoney(items) },
    discount > 0 && { label: 'Discount', amount: formatMoney(-discount), kind: 'saving' },
    shipping !== null && { label: 'Shipping', amount: shipping === 0 ? 'Free' : formatMoney(shipping) },
    taxRate > 0 && { label: `Estimated tax (${formatRate(taxRate)})`, amount: formatMoney(tax) },
    { label: 'Estimated total', amount: formatMoney(total), kind: 'total' },
  ].filter((row) => row !== false)
  return (
    <dl className="sums ruled">
      {rows.map(({ label, amount, kind }) => (
        <div key={label} className={kind}>
          <dt>{label}</dt>
          <dd>{amount}</dd>
        </div>
      ))}
    </dl>
  )
}

/** An item of the subscription. If `onSwap` is `null`, the item has no swap button. */
function PortalItem(props: { item: SubscriptionItem; changed: boolean; onSwap: (() => void) | null }) {
  const { digits, formatMoney, widgets } = useShop()
  const { item, changed, onSwap } = props
  const price = toMinor(item.price, digits)
  return (
    <li className="portal-item ruled" tabIndex={-1} data-changed={changed || undefined}>
      <Picture images={item.images} title={item.title} />
      <h4>{keepUnits(item.title)}</h4>
      <p className="amount strong">{formatMoney(price * item.quantity)}</p>
      <div className="soft small">
        {item.description !== undefined && <p>{item.description}</p>}
        <div className="between">
          <p>
            <span className="unseen">{`Quantity ${item.quantity}, ${formatMoney(price)} each`}</span>
            <span aria-hidden="true">
              {item.quantity} × {formatMoney(price)}
            </span>
          </p>
          {widgets.portal.swapButton && onSwap !== null && (
            <button className="link-button" aria-label={`Swap ${item.title}`} onClick={onSwap}>
              {buttonLabel('swapButton')}
            </button>
          )}
        </div>
      </div>
    </li>
  )
}
