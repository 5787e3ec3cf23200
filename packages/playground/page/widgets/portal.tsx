import { buttonLabel, type CurrentSubscription, type SubscriptionItem, toMinor } from '@storeport/core'
import { useEffect, useRef } from 'react'
import { ReadNotice } from '../parts/notice.tsx'
import { Picture } from '../parts/pictures.tsx'
import { type SumRow, Sums } from '../parts/sums.tsx'
import { useShop } from '../shop/shop-context.ts'
import { type Loaded, useRead } from '../shop/use-load.ts'
import { keepUnits } from '../texts.ts'
import { estimateTotals, formatRate } from '../values/amounts.ts'
import { daysBetween, describeDistance, formatDay } from '../values/days.ts'
import { highlight, showChange } from './focus.ts'
import { DelayQuestion, type QuestionProps, SendNowQuestion, SwapQuestion } from './questions.tsx'
import { compareSubscriptions, listSwapChoices } from './subscription-items.ts'

type Reload = () => Promise<CurrentSubscription | null>

/** The customer's subscription with its buttons. `onChange` reloads the email and returns the subscription. */
export function Portal({ read, onChange }: { read: Loaded<CurrentSubscription>; onChange: Reload }) {
  const { data, previous, failure } = read
  return (
    <section className="widget portal card" aria-label="Your subscription" aria-busy={read.busy} tabIndex={-1}>
      <ReadNotice read={read} rows={2} />
      {data !== null && failure === null && (
        <PortalCard subscription={data} previous={previous ?? data} onChange={onChange} />
      )}
    </section>
  )
}

/** Name of the swap dialog of an item in the URL. */
const swapOf = ({ id }: SubscriptionItem) => `swap.${id}`

/** A subscription: date of the next box, buttons, items and totals. */
function PortalCard(props: { subscription: CurrentSubscription; previous: CurrentSubscription; onChange: Reload }) {
  const { announce, config, openWidget, widget, widgets } = useShop()
  const { subscription, previous, onChange } = props
  const { next_billing_date, items } = subscription
  const { sendNowButton, delayButton, swapButton } = widgets.portal
  const card = useRef<HTMLDivElement>(null)
  const { isDateChanged, isChanged } = compareSubscriptions(previous, subscription)
  const mustShow = useRef(false)
  const offers = useRead('listProducts', {}, swapButton)
  const distance = describeDistance(daysBetween(config.today, next_billing_date))
  // If the item is removed while its dialog is open, the dialog stays open and displays the error.
  const swapped = useRef<SubscriptionItem>(undefined)
  swapped.current = [...items, swapped.current].find((item) => item !== undefined && widget === swapOf(item))

  useEffect(() => {
    const changed = [...(card.current?.querySelectorAll<HTMLElement>('[data-changed]') ?? [])]
    changed.forEach(highlight)
    if (mustShow.current) showChange(changed[0])
    mustShow.current = false
  }, [subscription])

  const question: QuestionProps = {
    onClose: () => openWidget(null),
    // After a success: closes the dialog, reloads the email, shows the change and announces the new state.
    endWith: (say) => async (hasSucceeded) => {
      if (!hasSucceeded) return onChange()
      openWidget(null)
      mustShow.current = true
      announce(say(await onChange()))
    },
  }
  return (
    <div ref={card}>
      <header className="portal-head centered">
        <p className="accent small strong">Next box</p>
        <p className="portal-date" tabIndex={-1} data-changed={isDateChanged || undefined}>
          <time dateTime={next_billing_date}>{formatDay(config.today, next_billing_date)}</time>
        </p>
        {distance !== null && <p className="soft">{distance}</p>}
        <div className="portal-buttons stack">
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
      </header>
      <ul aria-label="In your box">
        {items.map((item) => (
          <PortalItem
            key={item.id}
            item={item}
            changed={isChanged(item)}
            // Shows the button until the product list is loaded.
            canSwap={swapButton && (offers.data === null || listSwapChoices(offers.data.products, item).length > 0)}
          />
        ))}
      </ul>
      {items.length === 0 && <p className="soft">Your box is still empty.</p>}
      <OrderTotals subscription={subscription} />
      {widget === 'delay' && delayButton && <DelayQuestion {...question} current={next_billing_date} />}
      {widget === 'sendNow' && sendNowButton && <SendNowQuestion {...question} subscription={subscription} />}
      {swapped.current !== undefined && swapButton && (
        <SwapQuestion {...{ ...question, offers }} item={swapped.current} />
      )}
    </div>
  )
}

/** Totals of the next order. Omits amounts that the shop does not return. */
function OrderTotals({ subscription }: { subscription: CurrentSubscription }) {
  const { digits, formatMoney } = useShop()
  const { items, discount, shipping, tax, total } = estimateTotals(subscription, digits)
  const taxRate = subscription.customer_tax_rate ?? 0
  const rows: readonly (SumRow | false)[] = [
    ['Items', formatMoney(items)],
    discount > 0 && ['Discount', formatMoney(-discount), 'saving'],
    shipping !== null && ['Shipping', shipping === 0 ? 'Free' : formatMoney(shipping)],
    taxRate > 0 && [`Estimated tax (${formatRate(taxRate)})`, formatMoney(tax)],
    ['Estimated total', formatMoney(total), 'ruled large strong'],
  ]
  return <Sums rows={rows.filter((row) => row !== false)} />
}

function PortalItem({ item, changed, canSwap }: { item: SubscriptionItem; changed: boolean; canSwap: boolean }) {
  const { digits, formatMoney, openWidget } = useShop()
  const { title, description, quantity } = item
  const price = toMinor(item.price, digits)
  return (
    <li className="portal-item stack ruled" tabIndex={-1} data-changed={changed || undefined}>
      <Picture images={item.images} title={title} />
      <h4>{keepUnits(title)}</h4>
      <p className="amount strong">{formatMoney(price * quantity)}</p>
      <div className="soft small">
        {description !== undefined && <p>{description}</p>}
        <div className="between">
          <p>
            <span className="unseen">{`Quantity ${quantity}, ${formatMoney(price)} each`}</span>
            <span aria-hidden="true">
              {quantity} × {formatMoney(price)}
            </span>
          </p>
          {canSwap && (
            <button className="link-button" aria-label={`Swap ${title}`} onClick={() => openWidget(swapOf(item))}>
              {buttonLabel('swapButton')}
            </button>
          )}
        </div>
      </div>
    </li>
  )
}
