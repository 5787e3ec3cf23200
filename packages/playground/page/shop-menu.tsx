import { addDays, addMonths } from '@storeport/core'
import { useId, useRef } from 'react'
import { type PlaygroundConfig, type TimeStep, timeSteps } from '../src/protocol.ts'
import { daysBetween, formatDay, formatShortDay } from './values/days.ts'
import { ClickNotice } from './parts/notice.tsx'
import { Icon } from './parts/pictures.tsx'
import type { Outcome } from './shop/outcome.ts'
import { useClick } from './shop/use-click.ts'

const stepTitles = {
  'day-before': 'Day before the next billing',
  'next-billing': 'Next billing',
  'one-month': 'One month later',
} as const satisfies Record<TimeStep, string>

interface ShopMenuProps {
  readonly config: PlaygroundConfig
  /** Email of the customer whose next billing date the menu uses. */
  readonly email: string
  /** Next billing date of the customer: `null` if there is no date, `undefined` if not loaded. */
  readonly nextBilling: string | null | undefined
  readonly onMove: (to: TimeStep) => Promise<Outcome<unknown>>
  readonly onReset: () => void
}

/** A button with the shop's date, and a menu that describes the shop. In a test shop, the menu can move the date. */
export function ShopMenu(props: ShopMenuProps) {
  const { config } = props
  const menu = useRef<HTMLDivElement>(null)
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
      <div id={id} ref={menu} popover="auto" className="shop-menu" role="group" aria-label="The shop">
        <ShopName config={config} />
        <p className="soft mono">{config.baseUrl + config.basePath}</p>
        <ReferenceLink config={config} />
        <section className="shop-menu-part ruled" aria-label="Shop date">
          <h2 className="section-title">Shop date</h2>
          <p className="large strong">{formatDay(config.today, true)}</p>
          {isMoved && <p className="soft small">{`The real date is ${formatDay(calendarDay, true)}.`}</p>}
          {config.demo.time && <TimeSteps {...props} onDone={() => menu.current?.hidePopover()} />}
        </section>
        {config.demo.reset && (
          <div className="shop-menu-part ruled">
            <button className="small-button" onClick={props.onReset}>
              Reset the test shop
            </button>
          </div>
        )}
      </div>
    </>
  )
}

/** Buttons that move the date and bill due orders. */
function TimeSteps({ config, email, nextBilling, onMove, onDone }: ShopMenuProps & { onDone: () => void }) {
  const click = useClick()
  const { today } = config
  const isOff = (step: TimeStep) => click.pending || (step !== 'one-month' && nextBilling === null)
  const days: Readonly<Record<TimeStep, string | undefined>> = {
    'day-before': nextBilling ? addDays(nextBilling, -1) : undefined,
    'next-billing': nextBilling ?? undefined,
    'one-month': addMonths(today, 1),
  }
  async function move(step: TimeStep): Promise<void> {
    if (!isOff(step) && (await click.run(() => onMove(step)))) onDone()
  }
  const idle =
    nextBilling === null
      ? `${email} has no upcoming billing.`
      : `“Next billing” is the next billing date of ${email}. Orders due by the new date are billed for all customers.`
  return (
    <>
      <p className="small">Skip to</p>
      {timeSteps.map((step) => (
        <button key={step} className="small-button between" aria-disabled={isOff(step)} onClick={() => void move(step)}>
          <span>{stepTitles[step]}</span>
          <span className="soft small">{days[step] !== undefined && formatShortDay(today, days[step])}</span>
        </button>
      ))}
      <p className="soft small" role="status">
        {click.pending ? 'Billing due orders…' : idle}
      </p>
      <ClickNotice click={click} />
    </>
  )
}

/** The name of the shop and the kind of its data. */
export function ShopName({ config: { shopName, data, baseUrl, testMode } }: { config: PlaygroundConfig }) {
  const about = testMode ? 'Test mode' : data === 'test' ? 'Test data' : new URL(baseUrl).host
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
      API reference
    </a>
  )
}
