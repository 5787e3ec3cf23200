import { addDays, addMonths } from '@storeport/core'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { dayOfMonth, firstOfMonth, sayDay, sayMonth, weekdayOf, weeksOf } from '../days.ts'
import { texts } from '../texts.ts'

interface CalendarProps {
  readonly label: string
  /** The chosen day. */
  readonly chosen: string
  /** Days before it cannot be chosen. */
  readonly earliest: string
  /** The day that is planned now. */
  readonly current: string
  readonly onChoose: (date: string) => void
}

/** A month of days, one of them chosen; arrow keys, Page Up and Down, Home and End walk through it. */
export function Calendar({ label, chosen, earliest, current, onChoose }: CalendarProps) {
  const [at, setAt] = useState(chosen)
  const grid = useRef<HTMLTableElement>(null)
  const mustFocus = useRef(false)
  const titleId = useId()

  useEffect(() => setAt(chosen), [chosen])
  useEffect(() => {
    if (!mustFocus.current) return
    mustFocus.current = false
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }, [at])

  const isFirstMonth = firstOfMonth(at) <= firstOfMonth(earliest)
  const within = (date: string) => (date < earliest ? earliest : date)

  function walk(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, () => string>> = {
      ArrowLeft: () => addDays(at, -1),
      ArrowRight: () => addDays(at, 1),
      ArrowUp: () => addDays(at, -7),
      ArrowDown: () => addDays(at, 7),
      Home: () => addDays(at, -weekdayOf(at)),
      End: () => addDays(at, 6 - weekdayOf(at)),
      PageUp: () => addMonths(at, -1),
      PageDown: () => addMonths(at, 1),
    }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    mustFocus.current = true
    setAt(within(step()))
  }

  return (
    <div className="calendar" role="group" aria-label={label}>
      <div className="calendar-head">
        <MonthButton
          label={texts.calendar.previous}
          disabled={isFirstMonth}
          onClick={() => setAt(within(addMonths(at, -1)))}
        >
          ‹
        </MonthButton>
        <h3 id={titleId} aria-live="polite">
          {sayMonth(at)}
        </h3>
        <MonthButton label={texts.calendar.next} onClick={() => setAt(addMonths(at, 1))}>
          ›
        </MonthButton>
      </div>
      <table role="grid" aria-labelledby={titleId} ref={grid} onKeyDown={walk}>
        <thead>
          <tr>
            {texts.calendar.weekdays.map((weekday) => (
              <th key={weekday} scope="col" abbr={weekday}>
                {weekday.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sixWeeks(at).map((week, index) => (
            <tr key={index}>
              {week.map((date, weekday) => (
                <Day key={weekday} {...{ date, at, chosen, earliest, current, onChoose }} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Day(props: { date: string | null; at: string } & Omit<CalendarProps, 'label'>) {
  const { date, at, chosen, earliest, current, onChoose } = props
  if (date === null) return <td />
  const tooEarly = date < earliest
  const isCurrent = date === current
  return (
    <td
      role="gridcell"
      aria-selected={date === chosen}
      aria-disabled={tooEarly}
      aria-label={isCurrent ? `${sayDay(date, true)}, ${texts.calendar.current}` : sayDay(date, true)}
      className={isCurrent ? 'current' : undefined}
      tabIndex={date === at ? 0 : -1}
      onClick={() => {
        if (!tooEarly) onChoose(date)
      }}
      onKeyDown={(event) => {
        if (tooEarly || (event.key !== 'Enter' && event.key !== ' ')) return
        event.preventDefault()
        onChoose(date)
      }}
    >
      <span>{dayOfMonth(date)}</span>
    </td>
  )
}

function MonthButton(props: { label: string; disabled?: boolean; onClick: () => void; children: string }) {
  const { label, disabled = false, onClick, children } = props
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      aria-disabled={disabled}
      onClick={() => {
        if (!disabled) onClick()
      }}
    >
      {children}
    </button>
  )
}

/** Always six weeks, so that nothing moves when the month changes. */
function sixWeeks(date: string): (string | null)[][] {
  const weeks = weeksOf(date)
  const empty = Array.from({ length: 7 }, () => null)
  return [...weeks, ...Array.from({ length: 6 - weeks.length }, () => empty)]
}
