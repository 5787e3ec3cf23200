import type { Exchange } from '../../src/protocol.ts'
import { texts } from '../texts.ts'
import { compareAnswers } from './compare-answers.ts'
import { JsonText } from './json-text.tsx'
import { StatusPill } from './status-pill.tsx'

/** The two answers to a click that came twice, side by side, and what they tell of each other. */
export function BothAnswers(props: { first: Exchange; second: Exchange; onLook: (() => void) | null }) {
  const { first, second, onLook } = props
  return (
    <section className="wire-part">
      <h3>{texts.twice.title}</h3>
      <div className="both-answers">
        <OneAnswer title={texts.twice.first} exchange={first} />
        <OneAnswer title={texts.twice.second} exchange={second} />
      </div>
      <p className="small">{texts.twice[compareAnswers(first, second)]}</p>
      {onLook !== null && (
        <button type="button" className="link-button both-look" onClick={onLook}>
          {texts.twice.look}
        </button>
      )}
    </section>
  )
}

function OneAnswer({ title, exchange }: { title: string; exchange: Exchange }) {
  const { response, problem, durationMs, lost } = exchange
  return (
    <div className={lost === true ? 'one-answer one-lost' : 'one-answer'}>
      <p>
        <strong>{title}</strong> <StatusPill exchange={exchange} failure={null} />{' '}
        <span className="call-time">{texts.wire.milliseconds(durationMs.toFixed(1))}</span>
      </p>
      {lost === true && <p className="soft small">{texts.twice.lost}</p>}
      {response === null ? <p className="soft small">{problem}</p> : <JsonText text={response.body} />}
    </div>
  )
}
