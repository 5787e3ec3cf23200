import { useId, useRef } from 'react'
import type { PlaygroundConfig } from '../../src/protocol.ts'
import { daysBetween, sayDay, sayDayShort } from '../days.ts'
import { CalendarIcon } from '../parts/icons.tsx'
import { texts } from '../texts.ts'
import { TimeSteps, type TimeStepsProps } from './time-steps.tsx'

/** The shop's date in the bar; behind it what shop it is, and where it is ours the ways to move its date and to start over. */
export function ShopMenu(
  props: Omit<TimeStepsProps, 'onDone' | 'today'> & { config: PlaygroundConfig; onReset: () => void },
) {
  const { config } = props
  const menu = useRef<HTMLDivElement>(null)
  const id = useId()
  const close = () => menu.current?.hidePopover()
  // Time zones differ by a day at most.
  const isMoved = Math.abs(daysBetween(calendarDay(), config.today)) > 1
  return (
    <>
      <button
        type="button"
        className={isMoved ? 'date-button date-moved' : 'date-button'}
        popoverTarget={id}
        aria-label={texts.bar.menu(config.shopName, sayDay(config.today, true))}
      >
        <CalendarIcon />
        <time dateTime={config.today}>{sayDayShort(calendarDay(), config.today)}</time>
      </button>
      <div id={id} ref={menu} popover="auto" className="shop-menu" role="group" aria-label={texts.bar.menuTitle}>
        <ShopName config={config} />
        <p className="shop-menu-address">{config.baseUrl + config.basePath}</p>
        <ReferenceLink config={config} />
        <section className="shop-menu-part" aria-label={texts.time.title}>
          <h2 className="section-title">{texts.time.title}</h2>
          <p className="shop-menu-date">{sayDay(config.today, true)}</p>
          {isMoved && <p className="soft small">{texts.time.really(sayDay(calendarDay(), true))}</p>}
          {config.beside.time && (
            <TimeSteps
              today={config.today}
              email={props.email}
              nextBilling={props.nextBilling}
              onMove={props.onMove}
              onDone={close}
            />
          )}
        </section>
        {config.beside.reset && (
          <div className="shop-menu-part">
            <button
              type="button"
              className="small-button"
              onClick={() => {
                close()
                props.onReset()
              }}
            >
              {texts.reset.open}
            </button>
          </div>
        )}
      </div>
    </>
  )
}

/** What shop the page shows, and whose data it is. */
export function ShopName({ config: { shopName, data, baseUrl, testMode } }: { config: PlaygroundConfig }) {
  const address = URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl
  const about = testMode ? texts.bar.testMode : data === 'test' ? texts.bar.testData : address
  return (
    <p className="shop-name">
      <strong>{shopName}</strong>
      {about !== shopName && <span className="status">{about}</span>}
    </p>
  )
}

/** Leads to the API reference, where the host serves one. */
export function ReferenceLink({ config }: { config: PlaygroundConfig }) {
  if (config.referencePath === null) return null
  return (
    <a className="reference-link" href={`.${config.referencePath}`} target="_blank" rel="noopener">
      {texts.bar.reference}
    </a>
  )
}

/** The date of the person at the page. */
function calendarDay(): string {
  const now = new Date()
  const digits = (part: number) => String(part).padStart(2, '0')
  return `${now.getFullYear()}-${digits(now.getMonth() + 1)}-${digits(now.getDate())}`
}
