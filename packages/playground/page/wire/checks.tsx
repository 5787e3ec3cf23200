import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { type CheckLine, type CheckMode, checkModes } from '../../src/protocol.ts'
import { EmptyPlace } from '../parts/notice.tsx'
import { useShop } from '../shop/shop-context.ts'
import { hostMessage, openPost, readLines } from '../shop/host.ts'

const modeTexts = {
  'read-only': { title: 'Read only', hint: 'Changes nothing.' },
  default: { title: 'Read and write', hint: 'Changes the test customers’ data.' },
  stress: {
    title: 'All checks, including bursts of requests',
    hint: 'Changes the test customers’ data and sends many concurrent requests.',
  },
} as const satisfies Record<CheckMode, object>

/** Runs the conformance checks and displays the report. */
export function ChecksPanel(props: { run: CheckRun; start: (mode: CheckMode) => Promise<void>; stop: () => void }) {
  const { run } = props
  const [mode, setMode] = useState<CheckMode>('read-only')
  const id = useId()
  const running = run.state === 'running'
  return (
    <>
      <p className="soft small">
        Sends hundreds of requests to the shop and reports each response that violates the contract.
      </p>
      <div className="checks-form">
        <label htmlFor={id}>Mode</label>
        <select
          id={id}
          className="text-field"
          value={mode}
          aria-describedby={`${id}-hint`}
          onChange={(event) => setMode(checkModes.find((known) => known === event.target.value) ?? mode)}
        >
          {checkModes.map((known) => (
            <option key={known} value={known}>
              {modeTexts[known].title}
            </option>
          ))}
        </select>
        <button className="main-button" onClick={() => (running ? props.stop() : void props.start(mode))}>
          {running ? 'Stop' : 'Run the checks'}
        </button>
        <p id={`${id}-hint`} className="soft small">
          {modeTexts[mode].hint}
        </p>
      </div>
      {run.state === 'none' ? (
        <EmptyPlace title="Not checked yet" text="The report appears here." />
      ) : (
        <CheckSummary run={run} />
      )}
    </>
  )
}

/** Displays the progress of a run, or its verdict and report. */
function CheckSummary({ run: { state, counts, total, pausedUntil, verdict, problem } }: { run: CheckRun }) {
  const { demo } = useShop().config
  const done = outcomes.reduce((sum, outcome) => sum + counts[outcome], 0)
  const said = state === 'running' ? `${done} of ${total}` : (verdict ?? 'Stopped.')
  const advice = verdict === null ? null : chooseAdvice(verdict, demo.reset)
  return (
    <div className="checks-summary stack ruled">
      {state === 'running' && <progress aria-label="Check progress" value={done} max={Math.max(total, 1)} />}
      <p className={`verdict strong ${verdictClass(verdict, problem)}`} role="status">
        {problem === null ? said : `NOT CHECKED: ${problem}.`}
      </p>
      {pausedUntil !== null && <Pause key={pausedUntil} until={pausedUntil} />}
      {advice !== null && <p className="small">{advice}</p>}
      {verdict === null ? (
        <ul className="counts wrap soft small">
          {outcomes.map((outcome) => (
            <li key={outcome} className={counts[outcome] === 0 ? undefined : outcomeClasses[outcome]}>
              <strong>{counts[outcome]}</strong> {outcome === 'warning' ? 'warnings' : outcome}
            </li>
          ))}
        </ul>
      ) : (
        <>
          <p className="wrap">
            <a className="reference-link" href="./playground/report" target="_blank" rel="noopener">
              Open the full report
            </a>
            <a className="reference-link" href="./playground/report" download="conformance-report.html">
              Download
            </a>
          </p>
          <iframe className="report" title="Conformance report" src="./playground/report" />
        </>
      )}
    </div>
  )
}

/** Returns advice about the next step after a run; `null` if the report is sufficient. */
function chooseAdvice(verdict: string, canReset: boolean): string | null {
  if (verdict === 'NOT TRIED') return 'To test every endpoint, choose “Read and write” above.'
  if (verdict !== 'INCOMPLETE') return null
  return canReset
    ? 'Earlier runs used the test data. Reset the test shop in the menu of the date, then run the checks again.'
    : 'The test data is incomplete, or earlier runs used it. The report lists the data that is missing.'
}

/** Explains why a run pauses, with the seconds that remain. */
function Pause({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((until - now) / 1000))
  return <p className="notice">{`The shop’s rate limit was reached. The checks continue in ${seconds} s.`}</p>
}

/** Returns the CSS class of a verdict: `bad` for failures or customer risks, `good` if no executed check failed. */
function verdictClass(verdict: string | null, problem: string | null): string {
  if (problem !== null) return 'late'
  if (verdict === null) return ''
  if (verdict === 'NOT CONFORMING' || verdict === 'CONFORMS, NOT READY') return 'bad'
  return verdict === 'READY' || verdict === 'NOT TRIED' ? 'good' : 'late'
}

/** Outcomes of a check, in display order, and their CSS classes. */
const outcomes = ['passed', 'failed', 'warning', 'skipped'] as const
const outcomeClasses = { passed: 'good', failed: 'bad', warning: 'late', skipped: undefined } as const

/** State of a run of the conformance checks. */
interface CheckRun {
  readonly state: 'none' | 'running' | 'done' | 'stopped'
  readonly total: number
  readonly counts: Readonly<Record<(typeof outcomes)[number], number>>
  /** Time at which a paused run continues, in milliseconds since 1970; `null` if the run is not paused. */
  readonly pausedUntil: number | null
  /** Verdict of the kit; `null` until the run ends. */
  readonly verdict: string | null
  /** Reason why the run failed; `null` if it did not fail. */
  readonly problem: string | null
}

const noCounts = { passed: 0, failed: 0, warning: 0, skipped: 0 }
const noRun: CheckRun = {
  ...{ state: 'none', total: 0, counts: noCounts, pausedUntil: null, verdict: null, problem: null },
}

/** Runs the conformance checks and stores their results. */
export function useChecks(onEnd: () => void) {
  const [run, setRun] = useState<CheckRun>(noRun)
  const current = useRef<AbortController | null>(null)

  useEffect(() => () => current.current?.abort(), [])

  async function start(mode: CheckMode): Promise<void> {
    if (current.current !== null) return
    const controller = new AbortController()
    current.current = controller
    setRun({ ...noRun, state: 'running' })
    try {
      const { body } = await openPost('checks', { mode }, controller.signal)
      if (body !== null) {
        for await (const line of readLines<CheckLine>(body)) setRun((before) => addLine(before, line))
      }
    } catch (error) {
      if (controller.signal.aborted) return
      const problem = hostMessage(error, 'stopped')
      setRun((before) => ({ ...before, problem }))
    } finally {
      current.current = null
      setRun((before) => ({
        ...before,
        pausedUntil: null,
        state: before.state === 'running' ? 'stopped' : before.state,
      }))
      onEnd()
    }
  }
  return { run, start, stop: useCallback(() => current.current?.abort(), []) }
}

function addLine(run: CheckRun, line: CheckLine): CheckRun {
  switch (line.type) {
    case 'start':
      return { ...run, total: line.total }
    case 'result':
      return { ...run, counts: { ...run.counts, [line.outcome]: run.counts[line.outcome] + 1 }, pausedUntil: null }
    case 'wait':
      return { ...run, pausedUntil: Date.now() + line.seconds * 1000 }
    case 'end':
      return { ...run, state: 'done', verdict: line.verdict }
    case 'problem':
      return { ...run, problem: line.message }
  }
}
