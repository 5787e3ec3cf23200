import { endpoints } from '@storeport/core'
import type { Exchange, ReceivedResponse, SentRequest } from '../../src/protocol.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import type { LogEntry } from '../shop/call-log.ts'
import { customerText, type Failure, isNothingToShow } from '../shop/failure.ts'
import { useShop } from '../shop/shop-context.ts'
import { texts } from '../texts.ts'
import { curlOf } from './curl.ts'
import { JsonText } from './json-text.tsx'
import { compareAnswers } from './compare-answers.ts'
import { StatusPill } from './status-pill.tsx'

/** One call in full: what was sent, what came back, and what each side makes of a refusal. */
export function CallDetail({ entry, onLook }: { entry: LogEntry; onLook: (() => void) | null }) {
  const { exchange, second, failure } = entry
  return (
    <div className="call-detail">
      <p className="soft small">
        <code>{entry.endpoint}</code> {endpoints[entry.endpoint].summary}
      </p>
      {failure !== null && <BothSides failure={failure} isRead={endpoints[entry.endpoint].method === 'GET'} />}
      {exchange !== null && (
        <>
          {second !== null && <BothAnswers first={exchange} second={second} onLook={onLook} />}
          <RequestPart request={exchange.request} />
          {exchange.response !== null && second === null && <ResponsePart response={exchange.response} />}
          <CurlPart request={exchange.request} />
        </>
      )}
    </div>
  )
}

function BothSides({ failure, isRead }: { failure: Failure; isRead: boolean }) {
  const customer = isRead && isNothingToShow(failure) ? texts.wire.customerNothing : customerText(failure)
  return (
    <dl className="both-sides">
      <div>
        <dt>{texts.wire.customerReads}</dt>
        <dd className="customer-reads">{customer}</dd>
      </div>
      <div>
        <dt>{texts.wire.developerReads}</dt>
        <dd>
          <code>{failure.code}</code> {failure.message}
        </dd>
      </div>
    </dl>
  )
}

function RequestPart({ request }: { request: SentRequest }) {
  return (
    <section className="wire-part">
      <h3>{texts.wire.request}</h3>
      <p className="code-line">
        {request.method} {request.url}
      </p>
      <Headers headers={request.headers} />
      {request.body !== null && <JsonText text={request.body} />}
    </section>
  )
}

function ResponsePart({ response }: { response: ReceivedResponse }) {
  return (
    <section className="wire-part">
      <h3>
        {texts.wire.response} {response.status}
      </h3>
      <Headers headers={response.headers} />
      <JsonText text={response.body} />
    </section>
  )
}

function CurlPart({ request }: { request: SentRequest }) {
  const { config } = useShop()
  const command = curlOf(request, config.apiKeyHeader)
  return (
    <section className="wire-part">
      <div className="wire-part-head">
        <h3>{texts.wire.curl}</h3>
        <CopyButton text={command} label={texts.wire.copyCurl} />
      </div>
      <pre className="code" tabIndex={0}>
        {command}
      </pre>
    </section>
  )
}

function Headers({ headers }: { headers: SentRequest['headers'] }) {
  return (
    <details className="headers">
      <summary>{texts.wire.headers(headers.length)}</summary>
      <dl>
        {headers.map(([name, value], index) => (
          <div key={index}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** The two answers to a click that came twice, side by side, and what they tell of each other. */
function BothAnswers(props: { first: Exchange; second: Exchange; onLook: (() => void) | null }) {
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
