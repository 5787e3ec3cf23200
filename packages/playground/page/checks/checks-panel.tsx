import { useId, useState } from 'react'
import { type CheckMode, checkModes } from '../../src/protocol.ts'
import { EmptyPlace } from '../parts/notice.tsx'
import { texts } from '../texts.ts'
import { CheckReport } from './check-report.tsx'
import { CheckSummary } from './check-summary.tsx'
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
