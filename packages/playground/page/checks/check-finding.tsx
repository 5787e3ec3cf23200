import type { CheckOutcome } from '../../src/protocol.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Words } from '../parts/words.tsx'
import { texts } from '../texts.ts'

/** What one check found: the rows are the kit's own, with the call to repeat it. */
export function CheckFinding({ result: { id, title, rows } }: { result: CheckOutcome }) {
  return (
    <li className="finding">
      <p className="finding-title">
        <Words text={title} />
      </p>
      <p className="soft finding-id">{id}</p>
      <dl>
        {rows.map(({ name, value, isCode }) => (
          <div key={name}>
            <dt>
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
