import type { CancelledSubscription } from '@storeport/core'
import { useCallback, useEffect, useRef, useState } from 'react'
import { amountOff, sumOf } from '../amounts.ts'
import type { EmailContent } from '../email/email-content.ts'
import { ClickNotice, ReadNotice } from '../parts/notice.tsx'
import { Picture } from '../parts/picture.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { isNothingToShow, isStranger } from '../shop/failure.ts'
import { useShop } from '../shop/shop-context.ts'
import { useClick } from '../shop/use-click.ts'
import { useRead } from '../shop/use-read.ts'
import { texts } from '../texts.ts'
import { AbsentWidget } from './absent-widget.tsx'
import { type AcceptedDiscount, DiscountField, type PickedCode } from './discount-field.tsx'

/** The cancelled subscriptions that can be started again, in the shop's order. */
export function ReactivateList(props: ReactivateListProps) {
  const { widgets } = useShop()
  const { onContent } = props
  const { ready } = widgets.reactivate
  useEffect(() => {
    if (!ready) onContent('something')
  }, [ready, onContent])
  return ready ? <CancelledList {...props} /> : <AbsentWidget widget="reactivate" />
}

interface ReactivateListProps {
  readonly picked: PickedCode | null
  readonly onContent: (content: EmailContent) => void
}

function CancelledList({ picked, onContent }: ReactivateListProps) {
  const { callShop, email } = useShop()
  const [discount, setDiscount] = useState<AcceptedDiscount | null>(null)
  const load = useCallback(() => callShop('listCancelledSubscriptions', { email }), [callShop, email])
  const { data, ...read } = useRead(load)
  const { failure, busy, slow } = read
  const isEmpty = failure === null ? data?.subscriptions.length === 0 : isNothingToShow(failure)
  const isReading = data === null && busy

  useEffect(() => {
    if (isEmpty) onContent(failure !== null && isStranger(failure) ? 'stranger' : 'nothing')
    else if (!isReading || slow) onContent('something')
  }, [isEmpty, failure, isReading, slow, onContent])

  if (isEmpty) return null

  return (
    <section className="widget" aria-label={texts.reactivate.label} aria-busy={busy} tabIndex={-1}>
      {isReading && !slow && <Skeleton rows={2} picture />}
      <ReadNotice read={read} />
      {data !== null && (
        <>
          <header className="widget-head">
            <h3>{texts.reactivate.label}</h3>
            <DiscountField accepted={discount} onChange={setDiscount} picked={picked} />
          </header>
          <ul className="cancelled">
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
  const { announce, callShop, digits, email, sayMoney } = useShop()
  const { subscription, discount } = props
  const [started, setStarted] = useState(false)
  const click = useClick()
  const doneLine = useRef<HTMLParagraphElement>(null)
  const full = sumOf(subscription.products, digits)
  const off = amountOff(full, discount?.discount ?? null, digits)

  async function start(): Promise<void> {
    const code = discount === null ? {} : { discount_code: discount.code }
    const input = { email, subscription_id: subscription.subscription_id, ...code }
    if (!(await click.run(() => callShop('reactivateSubscription', input)))) return
    setStarted(true)
    announce(texts.reactivate.announceStarted(subscription.title))
  }
  useEffect(() => {
    if (started) doneLine.current?.focus()
  }, [started])

  return (
    <li className="cancelled-card" aria-busy={click.pending}>
      <div className="cancelled-head">
        <h4>{subscription.title}</h4>
        <p className="amount">
          {off > 0 && <s className="soft">{sayMoney(full)}</s>} {texts.reactivate.perBox(sayMoney(full - off))}
        </p>
      </div>
      <ul className="cancelled-products">
        {subscription.products.map((product) => (
          <li key={product.id}>
            <Picture images={product.images} title={product.title} />
            <span>
              {product.quantity} × {product.title}
            </span>
          </li>
        ))}
      </ul>
      <div className="cancelled-actions">
        {started ? (
          <p className="added" tabIndex={-1} ref={doneLine}>
            {texts.reactivate.started}
          </p>
        ) : (
          <button
            type="button"
            className="brand-button"
            aria-label={texts.reactivate.startTitle(subscription.title)}
            aria-disabled={click.pending}
            onClick={() => void start()}
          >
            {texts.reactivate.start}
          </button>
        )}
        <ClickNotice click={click} />
      </div>
    </li>
  )
}
