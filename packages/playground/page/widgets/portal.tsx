import type { CurrentSubscription } from '@storeport/core'
import { useCallback, useEffect, useRef } from 'react'
import { ReadNotice } from '../parts/notice.tsx'
import { Skeleton } from '../parts/picture.tsx'
import { isNothingToShow } from '../shop/outcome.ts'
import { useShop } from '../shop/shop-context.ts'
import { type EmailContent, useContent, useRead } from '../shop/use-read.ts'
import { texts } from '../texts/texts.ts'
import { PortalCard } from './portal-card.tsx'

/** The customer's subscription with its buttons. Renders nothing without a subscription; the headline explains why. */
export function Portal(props: {
  /** Increments when another widget changes the subscription, so that the portal reloads it. */
  version: number
  /** Called with each loaded subscription. */
  onRead: (subscription: CurrentSubscription) => void
  onContent: (content: EmailContent) => void
}) {
  const { version, onRead, onContent } = props
  const { callShop, email } = useShop()
  const load = useCallback(() => callShop('getSubscription', { email }), [callShop, email])
  const { data, ...read } = useRead(load)
  const { failure, reload } = read
  const seen = useRef(version)
  const isEmpty = failure !== null && isNothingToShow(failure)
  useContent(read, isEmpty, onContent)

  useEffect(() => {
    if (seen.current === version) return
    seen.current = version
    void reload()
  }, [version, reload])
  useEffect(() => {
    if (data !== null) onRead(data)
  }, [data, onRead])

  if (isEmpty) return null
  return (
    <section className="widget portal card" aria-label={texts.portal.label} aria-busy={read.busy} tabIndex={-1}>
      <ReadNotice read={read} />
      {read.waiting && <Skeleton rows={2} />}
      {data !== null && failure === null && <PortalCard subscription={data} reload={reload} />}
    </section>
  )
}
