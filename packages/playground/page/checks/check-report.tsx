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

const marks = { passed: '✓', failed: '✗', skipped: '–' } as const

function Result({ result }: { result: CheckOutcome }) {
  const { title, outcome, reason, failure } = result
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
        {failure !== null && (
          <dl className="finding">
            <div>
              <dt>{failure.requirement}</dt>
              <dd>
                <Words text={failure.sentence} /> <span className="soft">({failure.source})</span>
              </dd>
            </div>
            <Line label={texts.checks.expected} text={failure.expected.replaceAll('`', '')} />
            <Line label={texts.checks.received} text={failure.received} />
            {failure.request !== null && <Line label={texts.checks.request} text={failure.request} />}
          </dl>
        )}
      </div>
    </li>
  )
}

function Line({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="code-line">{text}</dd>
    </div>
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
