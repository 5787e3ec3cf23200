import { addDays, addMonths } from '@storeport/rules'
import { useState } from 'react'
import { type TimeStep, timeSteps } from '../../src/protocol.ts'
import { sayDayShort } from '../days.ts'
import { texts } from '../texts.ts'

/** What the steps need. */
export interface TimeStepsProps {
  /** The shop's date. */
  readonly today: string
  /** Whose next billing is meant. */
  readonly email: string
  /** That date: `null` for none, `undefined` where nobody knows. */
  readonly nextBilling: string | null | undefined
  /** Moves the date; answers why it was not moved, or `null`. */
  readonly onMove: (to: TimeStep) => Promise<string | null>
  readonly onDone: () => void
}

/** Skips to a day that matters: what is due by then is billed. */
export function TimeSteps({ today, email, nextBilling, onMove, onDone }: TimeStepsProps) {
  const [moving, setMoving] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const isOff = (step: TimeStep) => moving || (step !== 'one-month' && nextBilling === null)

  async function move(step: TimeStep): Promise<void> {
    if (isOff(step)) return
    setMoving(true)
    setProblem(null)
    const refused = await onMove(step)
    setMoving(false)
    setProblem(refused)
    if (refused === null) onDone()
  }
  return (
    <>
      <p className="small">{texts.time.skip}</p>
      <ul className="time-steps">
        {timeSteps.map((step) => (
          <li key={step}>
            <button type="button" className="time-step" aria-disabled={isOff(step)} onClick={() => void move(step)}>
              <span>{texts.time.steps[step]}</span>
              <span className="soft small">{dayOf(step, today, nextBilling)}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className="soft small" role="status">
        {moving ? texts.time.moving : nextBilling === null ? texts.time.noBilling(email) : texts.time.explain(email)}
      </p>
      {problem !== null && (
        <p className="notice notice-bad" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}

function dayOf(step: TimeStep, today: string, nextBilling: string | null | undefined): string {
  if (step === 'one-month') return sayDayShort(today, addMonths(today, 1))
  if (typeof nextBilling !== 'string') return ''
  return sayDayShort(today, step === 'day-before' ? addDays(nextBilling, -1) : nextBilling)
}
