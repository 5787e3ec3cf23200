import type { CurrentSubscription } from '@storeport/core'
import { useCallback, useEffect, useRef } from 'react'
import type { EmailContent } from '../email/email-content.ts'
import { ReadNotice } from '../parts/notice.tsx'
import { isNothingToShow, isStranger } from '../shop/failure.ts'
import { useShop } from '../shop/shop-context.ts'
import { useRead } from '../shop/use-read.ts'
import { texts } from '../texts.ts'
import { AbsentWidget } from './absent-widget.tsx'
import { PortalCard } from './portal-card.tsx'

interface PortalProps {
  /** Grows when something else changed the subscription, which is then read again. */
  readonly version: number
  /** Called with every subscription that was read. */
  readonly onRead: (subscription: CurrentSubscription) => void
  readonly onContent: (content: EmailContent) => void
}

/** The customer's subscription with its buttons; nothing where there is none, which the headline says. */
export function Portal(props: PortalProps) {
  const { widgets } = useShop()
  const { onContent } = props
  const { ready } = widgets.portal
  useEffect(() => {
    if (!ready) onContent('something')
  }, [ready, onContent])
  return ready ? <Subscription {...props} /> : <AbsentWidget widget="portal" />
}

function Subscription({ version, onRead, onContent }: PortalProps) {
  const { callShop, email } = useShop()
  const load = useCallback(() => callShop('getSubscription', { email }), [callShop, email])
  const { data, ...read } = useRead(load)
  const { failure, busy, slow, reload } = read
  const seen = useRef(version)
  const isEmpty = failure !== null && isNothingToShow(failure)
  const isReading = data === null && busy

  useEffect(() => {
    if (seen.current === version) return
    seen.current = version
    void reload()
  }, [version, reload])
  useEffect(() => {
    if (data !== null) onRead(data)
  }, [data, onRead])
  useEffect(() => {
    if (failure !== null && isNothingToShow(failure)) onContent(isStranger(failure) ? 'stranger' : 'nothing')
    else if (!isReading || slow) onContent('something')
  }, [failure, isReading, slow, onContent])

  if (isEmpty) return null
  return (
    <section className="widget portal" aria-label={texts.portal.label} aria-busy={busy} tabIndex={-1}>
      <ReadNotice read={read} />
      {isReading && !slow && <PortalSkeleton />}
      {data !== null && failure === null && <PortalCard subscription={data} reload={reload} />}
    </section>
  )
}

/** In the place of a subscription that is on its way: as high as one with two items, so that little moves when it comes. */
function PortalSkeleton() {
  return (
    <div className="skeleton" role="status" aria-label={texts.loading}>
      <div className="portal-head" aria-hidden="true">
        <p className="eyebrow">{texts.portal.nextBox}</p>
        <p className="portal-date bone">&nbsp;</p>
        <p className="bone bone-short">&nbsp;</p>
        <div className="portal-buttons">
          <span className="bone bone-button" />
          <span className="bone bone-button" />
        </div>
      </div>
      {[0, 1].map((row) => (
        <div key={row} className="portal-item" aria-hidden="true">
          <span className="skeleton-picture" />
          <span className="skeleton-lines">
            <span />
            <span />
          </span>
        </div>
      ))}
      <div className="totals bone bone-totals" aria-hidden="true" />
    </div>
  )
}
