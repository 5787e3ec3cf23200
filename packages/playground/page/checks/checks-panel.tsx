import { useId, useState } from 'react'
import { type CheckMode, checkModes, type CheckOutcome } from '../../src/protocol.ts'
import { EmptyPlace } from '../parts/notice.tsx'
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
          <CheckSummary run={run} />
          <CheckReport run={run} />
        </>
      )}
    </>
  )
}

const kinds = ['passed', 'failed', 'warning', 'skipped'] as const satisfies readonly CheckOutcome['outcome'][]

/** How far a run is, or what it says of the shop: the kit's verdict and its sentences, and the way to the whole report. */
function CheckSummary({ run }: { run: CheckRun }) {
  const { state, outcomes, total, verdict } = run
  return (
    <div className="checks-summary stack">
      {state === 'running' && (
        <progress aria-label={texts.checks.progress} value={outcomes.length} max={Math.max(total, 1)} />
      )}
      <div className="stack" role="status">
        <p className={`verdict ${kindOf(run)}`}>{wordsOf(run)}</p>
        {verdict?.sentences.map((sentence) => (
          <p key={sentence} className="small">
            {sentence}
          </p>
        ))}
      </div>
      <ul className="counts wrap soft small">
        {kinds.map((kind) => {
          const count = outcomes.filter(({ outcome }) => outcome === kind).length
          return (
            <li key={kind} className={count === 0 ? undefined : kind}>
              <strong>{count}</strong> {texts.checks[kind]}
            </li>
          )
        })}
      </ul>
      {verdict !== null && (
        <a className="reference-link" href="./playground/report" target="_blank" rel="noopener">
          {texts.checks.wholeReport}
        </a>
      )}
    </div>
  )
}

function wordsOf({ state, problem, verdict, outcomes, total }: CheckRun): string {
  if (problem !== null) return texts.checks.problem(problem)
  if (state === 'running') return texts.checks.running(outcomes.length, total)
  return verdict?.verdict ?? texts.checks.stopped
}

/** The colour of the verdict: nothing is green that is not ready, nothing red that did not fail. */
function kindOf({ problem, verdict }: CheckRun): 'good' | 'bad' | 'late' | '' {
  if (problem !== null) return 'late'
  if (verdict === null) return ''
  if (verdict.verdict === 'NOT READY') return 'bad'
  return verdict.verdict?.startsWith('READY') === true ? 'good' : 'late'
}
