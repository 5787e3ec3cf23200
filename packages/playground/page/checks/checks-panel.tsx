import { useId, useState } from 'react'
import { type CheckMode, checkModes } from '../../src/protocol.ts'
import { EmptyPlace } from '../parts/notice.tsx'
import { texts } from '../texts/texts.ts'
import { type CheckRun, outcomes } from './use-checks.ts'

/** Runs the conformance checks and displays the report. */
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
        <button className="main-button" onClick={() => (running ? props.onStop() : props.onStart(mode))}>
          {running ? texts.checks.stop : texts.checks.run}
        </button>
        <p id={`${id}-hint`} className="soft small">
          {texts.checks.modeHints[mode]}
        </p>
      </div>
      {run.state === 'none' ? (
        <EmptyPlace title={texts.checks.emptyTitle} text={texts.checks.emptyText} />
      ) : (
        <CheckSummary run={run} />
      )}
    </>
  )
}

/** Displays the progress of a run, or its verdict and report. */
function CheckSummary({ run: { state, counts, total, verdict, problem } }: { run: CheckRun }) {
  const done = outcomes.reduce((sum, outcome) => sum + counts[outcome], 0)
  const said = state === 'running' ? texts.checks.running(done, total) : (verdict ?? texts.checks.stopped)
  return (
    <div className="checks-summary stack ruled">
      {state === 'running' && <progress aria-label={texts.checks.progress} value={done} max={Math.max(total, 1)} />}
      <p className={`verdict strong ${verdictClass(verdict, problem)}`} role="status">
        {problem === null ? said : texts.checks.problem(problem)}
      </p>
      {verdict === null ? (
        <ul className="counts wrap soft small">
          {outcomes.map((outcome) => (
            <li key={outcome} className={counts[outcome] === 0 ? undefined : outcome}>
              <strong>{counts[outcome]}</strong> {texts.checks[outcome]}
            </li>
          ))}
        </ul>
      ) : (
        <>
          <a className="reference-link" href="./playground/report" target="_blank" rel="noopener">
            {texts.checks.wholeReport}
          </a>
          <iframe className="report" title={texts.checks.report} src="./playground/report" />
        </>
      )}
    </div>
  )
}

/** Returns the CSS class of a verdict: `bad` for failures or customer risks, `good` if no executed check failed. */
function verdictClass(verdict: string | null, problem: string | null): string {
  if (problem !== null) return 'late'
  if (verdict === null) return ''
  if (verdict === 'NOT CONFORMING' || verdict === 'CONFORMS, NOT READY') return 'bad'
  return verdict === 'READY' || verdict === 'NOT TRIED' ? 'good' : 'late'
}
