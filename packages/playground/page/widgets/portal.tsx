import { buttonLabel, CurrentSubscription, type SubscriptionItem } from '@storeport/core'
import { useCallback, useEffect, useRef, useState } from 'react'
import { estimateTotals } from '../amounts.ts'
import { daysBetween, sayDay } from '../days.ts'
import { EmptyPlace, FailureNotice } from '../parts/notice.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { isNothingToShow } from '../shop/failure.ts'
import { useShop } from '../shop/shop-context.ts'
import { useRead } from '../shop/use-read.ts'
import { texts } from '../texts.ts'
import { AbsentWidget } from './absent-widget.tsx'
import { DelayDialog } from './delay-dialog.tsx'
import { OrderTotals } from './order-totals.tsx'
import { PortalItem } from './portal-item.tsx'
import { SendNowDialog } from './send-now-dialog.tsx'
import { SwapDialog } from './swap-dialog.tsx'

interface PortalProps {
  /** Grows when something else changed the subscription, which is then read again. */
  readonly version: number
  /** Called with every subscription that was read. */
  readonly onRead: (subscription: CurrentSubscription) => void
}

/** The customer's subscription with its buttons. */
export function Portal(props: PortalProps) {
  const { widgets } = useShop()
  return widgets.portal.ready ? <Subscription {...props} /> : <AbsentWidget widget="portal" />
}

function Subscription({ version, onRead }: PortalProps) {
  const { callShop, email } = useShop()
  const load = useCallback(() => callShop('getSubscription', { email }), [callShop, email])
  const { data, failure, busy, reload } = useRead(load)
  const seen = useRef(version)

  useEffect(() => {
    if (seen.current === version) return
    seen.current = version
    void reload()
  }, [version, reload])
  useEffect(() => {
    if (data !== null) onRead(data)
  }, [data, onRead])

  return (
    <section className="widget portal" aria-label={texts.portal.label} aria-busy={busy}>
      {failure !== null && isNothingToShow(failure) ? (
        <EmptyPlace title={texts.portal.emptyTitle} text={texts.portal.emptyText} />
      ) : (
        <FailureNotice failure={failure} onRetry={() => void reload()} />
      )}
      {data === null && busy && <Skeleton rows={4} picture />}
      {data !== null && failure === null && <PortalCard subscription={data} reload={reload} />}
    </section>
  )
}

type OpenDialog =
  | { readonly name: 'delay' }
  | { readonly name: 'sendNow' }
  | { readonly name: 'swap'; readonly item: SubscriptionItem }

function PortalCard({ subscription, reload }: { subscription: CurrentSubscription; reload: () => Promise<void> }) {
  const { config, digits, widgets } = useShop()
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const [sayDone, setSayDone] = useState<((now: CurrentSubscription) => string) | null>(null)
  const { next_billing_date, items } = subscription
  const totals = estimateTotals(subscription, digits)
  const close = () => setOpen(null)
  const done = sayDone?.(subscription)

  /** What there is to say may depend on what the subscription has become. */
  async function finish(say: (now: CurrentSubscription) => string): Promise<void> {
    close()
    await reload()
    setSayDone(() => say)
  }

  return (
    <>
      <header className="portal-head">
        <p className="eyebrow">{texts.portal.nextBox}</p>
        <p className="portal-date">
          <time dateTime={next_billing_date}>{sayDay(next_billing_date)}</time>
        </p>
        <p className="soft">{texts.portal.inDays(daysBetween(config.today, next_billing_date))}</p>
      </header>
      <ul className="portal-items" aria-label={texts.portal.itemsLabel}>
        {items.map((item) => (
          <PortalItem key={item.id} item={item} onSwap={() => setOpen({ name: 'swap', item })} />
        ))}
      </ul>
      {items.length === 0 && <p className="soft">{texts.portal.emptyBox}</p>}
      <OrderTotals totals={totals} taxRate={subscription.customer_tax_rate ?? 0} />
      {(widgets.portal.sendNowButton || widgets.portal.delayButton) && (
        <div className="portal-buttons">
          {widgets.portal.sendNowButton && (
            <button type="button" className="brand-button" onClick={() => setOpen({ name: 'sendNow' })}>
              {buttonLabel('sendNowButton')}
            </button>
          )}
          {widgets.portal.delayButton && (
            <button type="button" className="quiet-button" onClick={() => setOpen({ name: 'delay' })}>
              {buttonLabel('delayButton')}
            </button>
          )}
        </div>
      )}
      <p className="portal-done" role="status">
        {done}
      </p>
      {open?.name === 'delay' && (
        <DelayDialog
          current={next_billing_date}
          onClose={close}
          onRefused={reload}
          onDone={(date) => finish(() => texts.portal.delayed(sayDay(date)))}
        />
      )}
      {open?.name === 'sendNow' && (
        <SendNowDialog
          total={totals.total}
          onClose={close}
          onRefused={reload}
          onDone={() => finish((now) => texts.portal.sent(sayDay(now.next_billing_date)))}
        />
      )}
      {open?.name === 'swap' && (
        <SwapDialog
          item={open.item}
          onClose={close}
          onRefused={reload}
          onDone={(title) => finish(() => texts.portal.swapped(title))}
        />
      )}
    </>
  )
}
