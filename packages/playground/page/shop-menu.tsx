import { useId } from 'react'
import type { PlaygroundConfig } from '../src/protocol.ts'
import { daysBetween, formatDay, formatShortDay } from './values/days.ts'
import { Icon } from './parts/pictures.tsx'

/** A button with the shop's date, and a menu that describes the shop. */
export function ShopMenu({ config, onReset }: { config: PlaygroundConfig; onReset: () => void }) {
  const id = useId()
  const calendarDay = new Intl.DateTimeFormat('sv').format()
  // Ignores a difference of one day, which a different time zone can cause.
  const isMoved = Math.abs(daysBetween(calendarDay, config.today)) > 1
  return (
    <>
      <button
        className={isMoved ? 'date-button date-moved' : 'date-button'}
        popoverTarget={id}
        aria-label={`${config.shopName}, ${formatDay(config.today, true)}`}
      >
        <Icon name="calendar" size={16} />
        <time dateTime={config.today}>{formatShortDay(calendarDay, config.today)}</time>
      </button>
      <div id={id} popover="auto" className="shop-menu card" role="group" aria-label="The shop">
        <ShopName config={config} />
        <p className="soft mono">{config.baseUrl + config.basePath}</p>
        <section className="shop-menu-part ruled" aria-label="Shop date">
          <h2 className="section-title">Shop date</h2>
          <p className="large strong">{formatDay(config.today, true)}</p>
          {isMoved && <p className="soft small">{`The real date is ${formatDay(calendarDay, true)}.`}</p>}
          {config.demo && <p className="soft small">STOREPORT_TODAY sets another date when the host starts.</p>}
        </section>
        {config.demo && (
          <div className="shop-menu-part ruled">
            <button className="small-button" onClick={onReset}>
              Reset the test shop
            </button>
          </div>
        )}
      </div>
    </>
  )
}

/** The name of the shop and the kind of its data. */
export function ShopName({ config: { shopName, data, baseUrl } }: { config: PlaygroundConfig }) {
  const about = data === 'test' ? 'Test data' : new URL(baseUrl).host
  return (
    <p className="shop-name row">
      <strong>{shopName}</strong>
      {about !== shopName && <span className="status">{about}</span>}
    </p>
  )
}

/** A link to the API reference, if it is available. */
export function ReferenceLink({ config }: { config: PlaygroundConfig }) {
  if (config.referencePath === null) return null
  return (
    <a className="reference-link" href={`.${config.referencePath}`} target="_blank" rel="noopener">
      API<span> reference</span>
    </a>
  )
}
