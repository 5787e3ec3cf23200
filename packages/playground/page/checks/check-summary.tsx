import type { CheckOutcome } from '../../src/protocol.ts'
import { texts } from '../texts.ts'
import type { CheckRun } from './use-checks.ts'

/** How far a run is, or what it says of the shop: the kit's verdict and its sentences, and the way to the whole report. */
export function CheckSummary({ run }: { run: CheckRun }) {
  const { state, outcomes, total, verdict } = run
  return (
    <div className="checks-summary">
      {state === 'running' && (
        <progress aria-label={texts.checks.progress} value={outcomes.length} max={Math.max(total, 1)} />
      )}
      <div className="checks-verdict" role="status">
        <p className={`verdict verdict-${kindOf(run)}`}>{wordsOf(run)}</p>
        {verdict?.sentences.map((sentence) => (
          <p key={sentence} className="small">
            {sentence}
          </p>
        ))}
      </div>
      <ul className="counts">
        {kinds.map((kind) => {
          const count = outcomes.filter(({ outcome }) => outcome === kind).length
          return (
            <li key={kind} className={count === 0 ? 'count' : `count count-${kind}`}>
              <strong>{count}</strong> {texts.checks[kind]}
            </li>
          )
        })}
      </ul>
      {verdict !== null && (
        <a className="report-link" href="./playground/report" target="_blank" rel="noopener">
          {texts.checks.wholeReport}
        </a>
      )}
    </div>
  )
}

const kinds = ['passed', 'failed', 'warning', 'skipped'] as const satisfies readonly CheckOutcome['outcome'][]

function wordsOf({ state, problem, verdict, outcomes, total }: CheckRun): string {
  if (problem !== null) return texts.checks.problem(problem)
  if (state === 'running') return texts.checks.running(outcomes.length, total)
  return verdict?.verdict ?? texts.checks.stopped
}

/** The colour of the verdict: nothing is green that is not ready, nothing red that did not fail. */
function kindOf({ problem, verdict }: CheckRun): 'good' | 'bad' | 'open' | 'none' {
  if (problem !== null) return 'open'
  if (verdict === null) return 'none'
  if (verdict.verdict === 'NOT CONFORMING' || verdict.verdict === 'CONFORMS, NOT READY') return 'bad'
  return verdict.verdict === 'READY' || verdict.verdict === 'NOT TRIED' ? 'good' : 'open'
}
