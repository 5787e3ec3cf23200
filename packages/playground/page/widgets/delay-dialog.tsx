import { addDays, addMonths } from '@storeport/core'
import { useState } from 'react'
import { sayDayFrom, sayDayShort } from '../days.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ClickNotice } from '../parts/notice.tsx'
import { useShop } from '../shop/shop-context.ts'
import { useClick } from '../shop/use-click.ts'
import { texts } from '../texts.ts'
import { Calendar } from './calendar.tsx'

/** Asks for a later day. */
export function DelayDialog(props: {
  current: string
  onClose: () => void
  onRefused: () => Promise<unknown>
  onDone: (date: string) => Promise<void>
}) {
  const { callShop, config, email } = useShop()
  const { current } = props
  const click = useClick()
  const tomorrow = addDays(config.today, 1)
  const earliest = current > tomorrow ? current : tomorrow
  const quick = [
    { date: addDays(earliest, 7), label: texts.delay.weeks(1) },
    { date: addDays(earliest, 14), label: texts.delay.weeks(2) },
    { date: addMonths(earliest, 1), label: texts.delay.month },
  ]
  const [chosen, setChosen] = useState(addDays(earliest, 7))

  async function delay(): Promise<void> {
    await click.run(async () => {
      const outcome = await callShop('delaySubscription', { email, new_date: chosen })
      await (outcome.ok ? props.onDone(chosen) : props.onRefused())
      return outcome
    })
  }
  function choose(date: string): void {
    setChosen(date)
    click.forget()
  }

  return (
    <Dialog
      title={texts.delay.title}
      onClose={props.onClose}
      footer={
        <>
          <button type="button" className="quiet-button" onClick={props.onClose}>
            {texts.cancel}
          </button>
          <button type="button" className="brand-button" aria-disabled={click.pending} onClick={() => void delay()}>
            {texts.delay.confirm(sayDayShort(config.today, chosen))}
          </button>
        </>
      }
    >
      <p className="soft">{texts.delay.text(sayDayFrom(config.today, current))}</p>
      <div className="quick-choices" role="group" aria-label={texts.delay.quick}>
        {quick.map(({ date, label }) => (
          <button key={label} type="button" aria-pressed={date === chosen} onClick={() => choose(date)}>
            {label}
          </button>
        ))}
      </div>
      <Calendar label={texts.delay.choose} chosen={chosen} earliest={earliest} current={current} onChoose={choose} />
      <ClickNotice click={click} />
    </Dialog>
  )
}
