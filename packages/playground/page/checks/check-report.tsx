import type { CheckOutcome } from '../../src/protocol.ts'
import { Words } from '../parts/words.tsx'
import { texts } from '../texts.ts'

/** The results by topic; a topic with a failure is open. */
export function CheckReport({ outcomes }: { outcomes: readonly CheckOutcome[] }) {
  return (
    <div className="report">
      {topicsOf(outcomes).map(([topic, results]) => {
        const failed = results.filter(({ outcome }) => outcome === 'failed').length
        const passed = results.filter(({ outcome }) => outcome === 'passed').length
        return (
          <details key={topic} className="topic" open={failed > 0 ? true : undefined}>
            <summary>
              <span className="topic-name">{topic}</span>
              {failed > 0 && (
                <span className="status status-bad">
                  {failed} {texts.checks.failed}
                </span>
              )}
              <span className="soft small">
                {passed}/{results.length}
              </span>
            </summary>
            <ul>
              {results.map((result) => (
                <Result key={result.id} result={result} />
              ))}
            </ul>
          </details>
        )
      })}
    </div>
  )
}

const marks = { passed: '✓', failed: '✗', warning: '!', skipped: '–' } as const

function Result({ result }: { result: CheckOutcome }) {
  const { title, outcome, reason, rows } = result
  return (
    <li className={`result result-${outcome}`}>
      <span className="mark" aria-hidden="true">
        {marks[outcome]}
      </span>
      <div>
        <p>
          <span className="unseen">{texts.checks[outcome]}: </span>
          <Words text={title} />
        </p>
        {reason !== null && <p className="soft small">{reason}</p>}
        {rows.length > 0 && (
          <dl className="finding">
            {rows.map(({ name, value, isCode }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd className={isCode ? 'code-line' : undefined}>{isCode ? value : <Words text={value} />}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </li>
  )
}

/** By the part of the check's id before the dot: those with a failure first, else in the order of the run. */
function topicsOf(outcomes: readonly CheckOutcome[]): [string, CheckOutcome[]][] {
  const topics = new Map<string, CheckOutcome[]>()
  for (const outcome of outcomes) {
    const topic = outcome.id.split('.', 1)[0] ?? outcome.id
    topics.set(topic, [...(topics.get(topic) ?? []), outcome])
  }
  const hasFailure = (results: readonly CheckOutcome[]) => results.some(({ outcome }) => outcome === 'failed')
  const all = [...topics]
  return [...all.filter(([, results]) => hasFailure(results)), ...all.filter(([, results]) => !hasFailure(results))]
}
