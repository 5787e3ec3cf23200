import type { CheckOutcome, CheckVerdict } from '../../src/protocol.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { texts } from '../texts.ts'
import type { CheckRun } from './use-checks.ts'

/** What a run found by cause, and below it every check: the order is that of the kit's report. Until the run is over, what was found so far. */
export function CheckReport({ run: { outcomes, verdict } }: { run: CheckRun }) {
  const found = outcomes.filter(({ rows }) => rows.length > 0)
  if (verdict === null) {
    return (
      <ul className="findings stack" aria-label={texts.checks.foundSoFar}>
        {found.map((result) => (
          <CheckFinding key={result.id} result={result} />
        ))}
      </ul>
    )
  }
  const failed = verdict.causes.filter(({ outcome }) => outcome === 'failed')
  const warned = verdict.causes.filter(({ outcome }) => outcome === 'warning')
  return (
    <div className="report">
      <Causes title={texts.checks.mustBeFixed} causes={failed} found={found} />
      <Causes title={texts.checks.warnings} causes={warned} found={found} />
      <h3 className="section-title">{texts.checks.everyCheck}</h3>
      {verdict.groups.map((group) => (
        <Group key={group.name} group={group} />
      ))}
    </div>
  )
}

function Causes(props: { title: string; causes: CheckVerdict['causes']; found: readonly CheckOutcome[] }) {
  if (props.causes.length === 0) return null
  const count = props.causes.reduce((sum, { checks }) => sum + checks.length, 0)
  return (
    <>
      <h3 className="section-title">
        {props.title} ({count})
      </h3>
      <ul aria-label={props.title}>
        {props.causes.map(({ title, outcome, cause, checks }) => (
          <li key={checks[0]}>
            <details className={`cause ${outcome}`}>
              <summary>
                <span className="medium">{title}</span>
                <span className={`status ${outcome === 'failed' ? 'bad' : 'late'}`}>{checks.length}</span>
                <span className="soft small">
                  <Words text={cause} />
                </span>
              </summary>
              <ul className="findings stack">
                {props.found
                  .filter(({ id }) => checks.includes(id))
                  .map((result) => (
                    <CheckFinding key={result.id} result={result} />
                  ))}
              </ul>
            </details>
          </li>
        ))}
      </ul>
    </>
  )
}

const marks = { passed: '✓', failed: '✗', warning: '!', skipped: '–' } as const

function Group({ group }: { group: CheckVerdict['groups'][number] }) {
  return (
    <details className="topic">
      <summary className="between">
        <span className="medium">{group.title}</span>
        <span className="soft small">{texts.checks.passedOf(group.counts.passed, group.results.length)}</span>
      </summary>
      <ul>
        {group.results.map(({ id, title, outcome, reason }) => (
          <li key={id} className={`result ${outcome}`}>
            <span className="mark" aria-hidden="true">
              {marks[outcome]}
            </span>
            <div>
              <p>
                <span className="unseen">{texts.checks[outcome]}: </span>
                <Words text={title} />
              </p>
              {reason !== null && <p className="soft small">{reason}</p>}
            </div>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** What one check found: the rows are the kit's own, with the call to repeat it. */
function CheckFinding({ result: { id, title, rows } }: { result: CheckOutcome }) {
  return (
    <li className="finding">
      <p className="medium">
        <Words text={title} />
      </p>
      <p className="soft mono">{id}</p>
      <dl className="stack">
        {rows.map(({ name, value, isCode }) => (
          <div key={name}>
            <dt className="between">
              {name}
              {name === 'call' && <CopyButton text={value} label={texts.checks.copyCall} />}
            </dt>
            <dd>
              {isCode ? (
                <pre className="code" tabIndex={0}>
                  {value}
                </pre>
              ) : (
                <Words text={value} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  )
}

/** A sentence in which text between backticks is code. */
function Words({ text }: { text: string }) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
}
