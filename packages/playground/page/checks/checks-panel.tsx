import { type ReactNode, useId, useState } from 'react'
import { type CheckCause, type CheckMode, checkModes, type CheckOutcome } from '../../src/protocol.ts'
import { EmptyPlace } from '../parts/notice.tsx'
import { Words } from '../parts/words.tsx'
import { texts } from '../texts.ts'
import { CheckReport } from './check-report.tsx'
import type { CheckRun } from './use-checks.ts'

/** Runs the conformance checks and shows what they found. */
export function ChecksPanel(props: { run: CheckRun; onStart: (mode: CheckMode) => void; onStop: () => void }) {
  const { run } = props
  const [mode, setMode] = useState<CheckMode>('read-only')
  const id = useId()
  const running = run.state === 'running'
  return (
    <>
      <p className="soft small">{texts.checks.intro}</p>
      <div className="checks-form">
        <label htmlFor={id}>{texts.checks.modeLabel}</label>
        <select
          id={id}
          className="text-field"
          value={mode}
          aria-describedby={`${id}-hint`}
          onChange={(event) => setMode(checkModes.find((known) => known === event.target.value) ?? mode)}
        >
          {checkModes.map((known) => (
            <option key={known} value={known}>
              {texts.checks.modes[known]}
            </option>
          ))}
        </select>
        <button type="button" className="main-button" onClick={() => (running ? props.onStop() : props.onStart(mode))}>
          {running ? texts.checks.stop : texts.checks.run}
        </button>
        <p id={`${id}-hint`} className="soft small">
          {texts.checks.modeHints[mode]}
        </p>
      </div>
      {run.state === 'none' ? (
        <EmptyPlace title={texts.checks.emptyTitle} text={texts.checks.emptyText} />
      ) : (
        <>
          <Progress run={run} />
          <CheckReport outcomes={run.outcomes} />
        </>
      )}
    </>
  )
}

function Progress({ run }: { run: CheckRun }) {
  const { outcomes, total } = run
  const count = (outcome: CheckOutcome['outcome']) => outcomes.filter((one) => one.outcome === outcome).length
  return (
    <div className="checks-progress">
      <progress aria-label={texts.checks.progress} value={outcomes.length} max={Math.max(total, 1)} />
      <div className="checks-verdict" role="status">
        <p>{verdictOf(run)}</p>
        {run.verdict?.sentences.map((sentence) => (
          <p key={sentence} className="small">
            {sentence}
          </p>
        ))}
      </div>
      <Causes causes={run.verdict?.causes ?? []} />
      <ul className="counts">
        <Count kind="passed" count={count('passed')} />
        <Count kind="failed" count={count('failed')} />
        <Count kind="warning" count={count('warning')} />
        <Count kind="skipped" count={count('skipped')} />
      </ul>
    </div>
  )
}

/** What was found, by cause: the calls are below, by topic. */
function Causes({ causes }: { causes: readonly CheckCause[] }) {
  if (causes.length === 0) return null
  return (
    <ul className="small" aria-label={texts.checks.causes}>
      {causes.map(({ title, outcome, cause, checks }) => (
        <li key={`${title} ${outcome} ${checks[0]}`} className={`result result-${outcome}`}>
          <span className="mark" aria-hidden="true">
            {marks[outcome]}
          </span>
          <p>
            {title},{' '}
            <strong>
              {checks.length} {texts.checks[outcome]}
            </strong>
            : <Words text={cause} />
          </p>
        </li>
      ))}
    </ul>
  )
}

const marks = { failed: '✗', warning: '!' } as const satisfies Record<CheckCause['outcome'], string>

function Count({ kind, count }: { kind: CheckOutcome['outcome']; count: number }): ReactNode {
  return (
    <li className={`count count-${kind}`}>
      <strong>{count}</strong> {texts.checks[kind]}
    </li>
  )
}

function verdictOf({ state, problem, verdict, outcomes, total }: CheckRun): string {
  if (problem !== null) return texts.checks.problem(problem)
  if (state === 'running') return texts.checks.running(outcomes.length, total)
  return verdict?.verdict ?? texts.checks.stopped
}
