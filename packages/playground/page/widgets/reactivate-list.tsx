import type { CancelledSubscription } from '@storeport/core'
import { useCallback, useRef, useState } from 'react'
import { amountOff, addUp } from '../values/amounts.ts'
import { ClickNotice, ReadNotice } from '../parts/notice.tsx'
import { Picture, Skeleton } from '../parts/picture.tsx'
import { isNothingToShow } from '../shop/outcome.ts'
import { useShop } from '../shop/shop-context.ts'
import { useClick } from '../shop/use-click.ts'
import { type EmailContent, useContent, useRead } from '../shop/use-read.ts'
import { texts } from '../texts/texts.ts'
import { type AcceptedDiscount, toDiscountInput, DiscountField, type PickedCode } from './discount-field.tsx'
import { useRestoredFocus } from './use-changes.ts'

/** Canceled subscriptions that can be restarted, in the order that the shop returns. */
export function ReactivateList(props: { picked: PickedCode | null; onContent: (content: EmailContent) => void }) {
  const { callShop, email } = useShop()
  const [discount, setDiscount] = useState<AcceptedDiscount | null>(null)
  const load = useCallback(() => callShop('listCancelledSubscriptions', { email }), [callShop, email])
  const { data, ...read } = useRead(load)
  const { failure } = read
  const isEmpty = failure === null ? data?.subscriptions.length === 0 : isNothingToShow(failure)
  useContent(read, isEmpty, props.onContent)
  if (isEmpty) return null

  return (
    <section className="widget" aria-label={texts.reactivate.label} aria-busy={read.busy} tabIndex={-1}>
      {read.waiting && <Skeleton rows={2} />}
      <ReadNotice read={read} />
      {data !== null && (
        <>
          <header className="widget-head">
            <h3>{texts.reactivate.label}</h3>
            <DiscountField accepted={discount} onChange={setDiscount} picked={props.picked} />
          </header>
          <ul className="stack">
            {data.subscriptions.map((subscription) => (
              <CancelledCard key={subscription.subscription_id} subscription={subscription} discount={discount} />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function CancelledCard(props: { subscription: CancelledSubscription; discount: AcceptedDiscount | null }) {
  const { announce, callShop, digits, email, formatMoney } = useShop()
  const { subscription, discount } = props
  const [started, setStarted] = useState(false)
  const click = useClick()
  const card = useRef<HTMLLIElement>(null)
  const restoreFocus = useRestoredFocus(card)
  const full = addUp(subscription.products, digits)
  const off = amountOff(full, discount?.discount ?? null, digits)

  async function start(): Promise<void> {
    const input = { email, subscription_id: subscription.subscription_id, ...toDiscountInput(discount) }
    if (!(await click.run(() => callShop('reactivateSubscription', input)))) return
    restoreFocus()
    setStarted(true)
    announce(texts.reactivate.announceStarted(subscription.title))
  }
  return (
    <li className="cancelled-card card" ref={card} aria-busy={click.pending}>
      <div className="between">
        <h4>{subscription.title}</h4>
        <p className="amount">
          {off > 0 && <s>{formatMoney(full)}</s>} {texts.reactivate.perBox(formatMoney(full - off))}
        </p>
      </div>
      <ul className="stack">
        {subscription.products.map((product) => (
          <li key={product.id} className="row">
            <Picture images={product.images} title={product.title} />
            <span>
              {product.quantity} × {product.title}
            </span>
          </li>
        ))}
      </ul>
      {started ? (
        <p className="added accent strong" tabIndex={-1}>
          {texts.reactivate.started}
        </p>
      ) : (
        <button
          className="main-button"
          aria-label={texts.reactivate.startTitle(subscription.title)}
          aria-disabled={click.pending}
          onClick={start}
        >
          {texts.reactivate.start}
        </button>
      )}
      <ClickNotice click={click} />
    </li>
  )
}
