import { addDays, addMonths } from '@storeport/core'
import { useId, useState } from 'react'
import { formatDayFrom, formatShortDay } from '../values/days.ts'
import { ClickNotice, Problem } from '../parts/notice.tsx'
import { Question } from '../parts/question.tsx'
import { useShop } from '../shop/shop-context.ts'
import { useClick } from '../shop/use-click.ts'
import { texts } from '../texts/texts.ts'

/** A dialog to choose a later date. */
export function DelayQuestion(props: {
  current: string
  onClose: () => void
  onRefused: () => Promise<unknown>
  onDone: (date: string) => Promise<void>
}) {
  const { callShop, config, email } = useShop()
  const { current } = props
  const click = useClick()
  const id = useId()
  const tomorrow = addDays(config.today, 1)
  const earliest = current > tomorrow ? current : tomorrow
  const quick = [
    { date: addDays(earliest, 7), label: texts.delay.weeks(1) },
    { date: addDays(earliest, 14), label: texts.delay.weeks(2) },
    { date: addMonths(earliest, 1), label: texts.delay.month },
  ]
  const [chosen, setChosen] = useState(addDays(earliest, 7))
  // Checks the date, because browsers mark dates before `min` as invalid but accept these dates as input.
  const isTooEarly = chosen < earliest

  async function delay(): Promise<void> {
    if (isTooEarly) return
    const call = () => callShop('delaySubscription', { email, new_date: chosen })
    await click.run(call, (hasSucceeded) => (hasSucceeded ? props.onDone(chosen) : props.onRefused()))
  }
  function choose(date: string): void {
    setChosen(date)
    click.forget()
  }

  return (
    <Question
      title={texts.delay.title}
      confirm={isTooEarly ? texts.delay.move : texts.delay.confirm(formatShortDay(config.today, chosen))}
      off={isTooEarly || click.pending}
      onConfirm={delay}
      onClose={props.onClose}
    >
      <p className="soft">{texts.delay.text(formatDayFrom(config.today, current))}</p>
      <div className="wrap" role="group" aria-label={texts.delay.quick}>
        {quick.map(({ date, label }) => (
          <button key={label} className="small-button" aria-pressed={date === chosen} onClick={() => choose(date)}>
            {label}
          </button>
        ))}
      </div>
      <div className="stack">
        <label htmlFor={id} className="small strong">
          {texts.delay.choose}
        </label>
        <input
          id={id}
          type="date"
          className="text-field"
          min={earliest}
          value={chosen}
          onChange={(event) => choose(event.target.value)}
        />
      </div>
      <Problem
        text={isTooEarly && click.failure === null ? texts.delay.tooEarly(formatDayFrom(config.today, earliest)) : null}
      />
      <ClickNotice click={click} />
    </Question>
  )
}
