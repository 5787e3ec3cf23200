import type { CancelledSubscription, CancelledSubscriptionList } from '@storeport/core'
import { useRef, useState } from 'react'
import { ClickNotice, ReadNotice } from '../parts/notice.tsx'
import { Picture } from '../parts/pictures.tsx'
import { useShop } from '../shop/shop-context.ts'
import { useClick } from '../shop/use-click.ts'
import type { Loaded } from '../shop/use-load.ts'
import { keepUnits } from '../texts.ts'
import { addUp } from '../values/amounts.ts'
import { type AppliedCode, useDiscountCode } from './discount-field.tsx'
import { useRestoredFocus } from './focus.ts'

/** Cancelled subscriptions that can be restarted, in the sequence that the shop returns. */
export function ReactivateList({ read: { data, ...read } }: { read: Loaded<CancelledSubscriptionList> }) {
  const code = useDiscountCode(useShop().picked)
  return (
    <section className="widget" aria-label="Your cancelled boxes" aria-busy={read.busy} tabIndex={-1}>
      <ReadNotice read={read} rows={2} />
      {data !== null && (
        <>
          <header className="widget-head stack">
            <h3>Your cancelled boxes</h3>
            {code.field}
          </header>
          <ul className="stack">
            {data.subscriptions.map((subscription) => (
              <CancelledCard key={subscription.subscription_id} {...{ subscription, code }} />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function CancelledCard({ subscription, code }: { subscription: CancelledSubscription; code: AppliedCode }) {
  const { announce, callShop, digits, email, formatMoney } = useShop()
  const { subscription_id, title, products } = subscription
  const [started, setStarted] = useState(false)
  const click = useClick()
  const card = useRef<HTMLLIElement>(null)
  const restoreFocus = useRestoredFocus(card)
  const full = addUp(products, digits)
  const off = code.off(full)

  async function start(): Promise<void> {
    const input = { email, subscription_id, ...code.input }
    if (!(await click.run(() => callShop('reactivateSubscription', input)))) return
    restoreFocus()
    setStarted(true)
    announce(`Your box “${title}” is active again.`)
  }
  return (
    <li className="cancelled-card card stack" ref={card} aria-busy={click.pending}>
      <div className="between">
        <h4>{title}</h4>
        <p className="amount">
          {off > 0 && <s className="soft">{formatMoney(full)}</s>} {`${formatMoney(full - off)} per box`}
        </p>
      </div>
      <ul className="stack">
        {products.map((product) => (
          <li key={product.id} className="row">
            <Picture images={product.images} title={product.title} />
            <span>
              {product.quantity} × {keepUnits(product.title)}
            </span>
          </li>
        ))}
      </ul>
      {started ? (
        <p className="added accent strong centered" tabIndex={-1}>
          Welcome back
        </p>
      ) : (
        <button
          className="main-button"
          aria-label={`Start again: ${title}`}
          aria-disabled={click.pending}
          onClick={start}
        >
          Start again
        </button>
      )}
      <ClickNotice click={click} />
    </li>
  )
}
