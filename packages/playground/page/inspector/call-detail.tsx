import { endpoints } from '@storeport/core'
import { type ReactNode, useState } from 'react'
import type { Exchange, SentRequest } from '../../src/protocol.ts'
import { usePage } from '../page-context.ts'
import { customerText, type Failure, isNothingToShow } from '../shop/outcome.ts'
import { useShop } from '../shop/shop-context.ts'
import type { LogEntry } from '../shop/use-calls.ts'
import { plural, texts } from '../texts.ts'
import { compareResponses, formatCurl, isReplayed, tokenizeJson } from './read-exchange.ts'

/** The details of a call: request, response, and the messages for the customer and the developer. */
export function CallDetail({ entry }: { entry: LogEntry }) {
  const { exchanges, failure, endpoint } = entry
  const { method, summary } = endpoints[endpoint]
  const [exchange] = exchanges
  const isTwice = exchanges.length > 1
  return (
    <div className="call-detail stack">
      <p className="soft small">
        <code>{endpoint}</code> {summary}
      </p>
      {failure !== null && (
        <dl className="both-sides stack">
          <div>
            <dt className="bad strong">Customer message</dt>
            <dd className="customer-reads">
              {method === 'GET' && isNothingToShow(failure)
                ? 'No message. This part of the email is empty.'
                : customerText(failure)}
            </dd>
          </div>
          <div>
            <dt className="bad strong">Developer message</dt>
            <dd>
              <code>{failure.code}</code> {failure.message}
            </dd>
          </div>
        </dl>
      )}
      {isTwice && <BothResponses entry={entry} />}
      {exchange && <Message title="Request" {...exchange.request} />}
      {exchange?.response && !isTwice && (
        <Message title={`Response ${exchange.response.status}`} {...exchange.response} />
      )}
      {exchange && <CurlCommand request={exchange.request} />}
    </div>
  )
}

function Part(props: { title: string; button?: ReactNode; children: ReactNode }) {
  return (
    <section className="stack">
      <div className="between">
        <h3 className="small">{props.title}</h3>
        {props.button}
      </div>
      {props.children}
    </section>
  )
}

/** A request or a response with its headers and its body. */
function Message(props: Pick<SentRequest, 'headers' | 'body'> & Partial<SentRequest> & { title: string }) {
  const { title, method, url, headers, body } = props
  return (
    <Part title={title}>
      {url !== undefined && (
        <p className="mono">
          {method} {url}
        </p>
      )}
      <details>
        <summary className="soft small">{plural(headers.length, 'header')}</summary>
        <dl>
          {headers.map(([name, value], index) => (
            <div key={index} className="halves stack mono">
              <dt className="soft">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {body !== null && <JsonText text={body} />}
    </Part>
  )
}

/** Both responses to a click that was sent twice, side by side, with their comparison. */
function BothResponses({ entry: { exchanges, isLost: isFirstLost, times } }: { entry: LogEntry }) {
  const { shop, show } = usePage()
  return (
    <Part title="Both responses">
      <div className="halves stack">
        {exchanges.map((exchange, index) => {
          const isLost = index === 0 && isFirstLost
          const { response, problem, durationMs } = exchange
          return (
            <div key={index} className={isLost ? 'one-answer stack card dashed' : 'one-answer stack card'}>
              <p>
                <strong>{index === 0 ? 'First' : 'Second'}</strong>{' '}
                <StatusPill exchange={exchange} failure={null} isLost={isLost} />{' '}
                <span className="call-time soft">{durationMs.toFixed(1)} ms</span>
              </p>
              {isReplayed(exchange) && <p className="soft small">{texts.repeat}</p>}
              {isLost && <p className="soft small">The response was lost. The customer did not see it.</p>}
              {response === null ? <p className="soft small">{problem}</p> : <JsonText text={response.body} />}
            </div>
          )
        })}
      </div>
      <p className="small">{texts.comparisons[compareResponses(exchanges, times)]}</p>
      {shop.config.demo && (
        <button className="link-button" onClick={() => show({ tab: 'shop' }, 'replaceState')}>
          See the effect in the shop
        </button>
      )}
    </Part>
  )
}

/** The HTTP status of a response, with a color for success or failure; crossed out if the response was lost. */
export function StatusPill(props: { exchange: Exchange | undefined; failure: Failure | null; isLost: boolean }) {
  const status = props.exchange?.response?.status
  if (status === undefined) return <span className="status bad">no response</span>
  if (props.isLost) return <s className="status">{status}</s>
  const kind = status >= 500 || props.failure?.code === 'invalid_answer' ? 'bad' : status >= 400 ? 'late' : 'good'
  return <span className={`status ${kind}`}>{status}</span>
}

/** Displays a body as text, never as markup, and highlights JSON. */
function JsonText({ text }: { text: string }) {
  if (text === '') return <p className="soft small">No body.</p>
  return (
    <pre className="code" tabIndex={0}>
      {tokenizeJson(text).map(({ kind, text: part }, index) => (
        <span key={index} className={kind}>
          {part}
        </span>
      ))}
    </pre>
  )
}

/** A request as a curl command, with a button that copies it. The browser may deny access to the clipboard. */
function CurlCommand({ request }: { request: SentRequest }) {
  const curl = formatCurl(request, useShop().config.apiKeyHeader)
  const [said, setSaid] = useState<string | null>(null)
  const copy = () =>
    navigator.clipboard.writeText(curl).then(
      () => setSaid('Copied'),
      () => setSaid('Select and copy the text'),
    )
  const button = (
    <button className="small-button" onClick={copy} onBlur={() => setSaid(null)}>
      <span aria-live="polite">{said ?? 'Copy as curl'}</span>
    </button>
  )
  return (
    <Part title="curl command" button={button}>
      <pre className="code" tabIndex={0}>
        {curl}
      </pre>
    </Part>
  )
}
