import { addDays, addMonths } from '@storeport/core'
import { useId, useRef, useState } from 'react'
import { type MovedDate, type PlaygroundConfig, type TimeStep, timeSteps } from '../src/protocol.ts'
import { daysBetween, formatDay, formatShortDay } from './values/days.ts'
import { Icon } from './parts/icon.tsx'
import { Problem } from './parts/notice.tsx'
import { Question } from './parts/question.tsx'
import { postToHost, hostMessage } from './shop/host.ts'
import type { Outcome } from './shop/outcome.ts'
import { useClick } from './shop/use-click.ts'
import { texts } from './texts/texts.ts'

/** The shop's date and functions that change it. */
export interface ShopDate {
  readonly today: string
  readonly move: (to: TimeStep, email: string) => Promise<Outcome<MovedDate>>
  readonly reset: () => Promise<Outcome<MovedDate>>
}

/** Returns the shop's date, and functions that change the date through the playground server. */
export function useShopDate(config: PlaygroundConfig, reportHost: (error: unknown) => void): ShopDate {
  const [today, setToday] = useState(config.today)

  async function post(
    name: string,
    body: object,
    words: typeof texts.time | typeof texts.reset,
  ): Promise<Outcome<MovedDate>> {
    try {
      const data = await postToHost<MovedDate>(name, body)
      reportHost(null)
      return { ok: true, data }
    } catch (error) {
      reportHost(error)
      return { ok: false, failure: { code: 'host_refused', message: hostMessage(error, words) } }
    }
  }
  return {
    today,
    async move(to, email) {
      const outcome = await post('time', { to, email }, texts.time)
      if (outcome.ok) setToday(outcome.data.today)
      return outcome
    },
    reset: () => post('reset', {}, texts.reset),
  }
}

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
  const close = () => menu.current?.hidePopover()
  const calendarDay = new Intl.DateTimeFormat('sv').format()
  // Ignores a difference of one day, which a different time zone can cause.
  const isMoved = Math.abs(daysBetween(calendarDay, config.today)) > 1
  return (
    <>
      <button
        className={isMoved ? 'date-button date-moved' : 'date-button'}
        popoverTarget={id}
        aria-label={texts.bar.menu(config.shopName, formatDay(config.today, true))}
      >
        <Icon name="calendar" size={16} />
        <time dateTime={config.today}>{formatShortDay(calendarDay, config.today)}</time>
      </button>
      <div id={id} ref={menu} popover="auto" className="shop-menu" role="group" aria-label={texts.bar.menuTitle}>
        <ShopName config={config} />
        <p className="soft mono">{config.baseUrl + config.basePath}</p>
        <ReferenceLink config={config} />
        <section className="shop-menu-part ruled" aria-label={texts.time.title}>
          <h2 className="section-title">{texts.time.title}</h2>
          <p className="large strong">{formatDay(config.today, true)}</p>
          {isMoved && <p className="soft small">{texts.time.really(formatDay(calendarDay, true))}</p>}
          {config.demo.time && <TimeSteps {...props} onDone={close} />}
        </section>
        {config.demo.reset && (
          <div className="shop-menu-part ruled">
            <button
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
  return (
    <>
      <p className="small">{texts.time.skip}</p>
      {timeSteps.map((step) => (
        <button key={step} className="small-button between" aria-disabled={isOff(step)} onClick={() => void move(step)}>
          <span>{texts.time.steps[step]}</span>
          <span className="soft small">{days[step] !== undefined && formatShortDay(today, days[step])}</span>
        </button>
      ))}
      <p className="soft small" role="status">
        {click.pending
          ? texts.time.moving
          : nextBilling === null
            ? texts.time.noBilling(email)
            : texts.time.explain(email)}
      </p>
      <Problem text={click.failure?.message ?? null} />
    </>
  )
}

/** A dialog that confirms a reset. */
export function ResetQuestion(props: { onReset: () => Promise<Outcome<unknown>>; onClose: () => void }) {
  const click = useClick()
  return (
    <Question
      title={texts.reset.title}
      confirm={click.pending ? texts.reset.running : texts.reset.confirm}
      off={click.pending}
      onConfirm={() => click.run(props.onReset)}
      onClose={props.onClose}
    >
      <p>{texts.reset.text}</p>
      <Problem text={click.failure?.message ?? null} />
    </Question>
  )
}

/** The name of the shop and the kind of its data. */
export function ShopName({ config: { shopName, data, baseUrl, testMode } }: { config: PlaygroundConfig }) {
  const about = testMode ? texts.bar.testMode : data === 'test' ? texts.bar.testData : new URL(baseUrl).host
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
      {texts.bar.reference}
    </a>
  )
}
