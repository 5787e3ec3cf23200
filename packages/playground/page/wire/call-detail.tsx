import { endpoints } from '@storeport/core'
import { type ReactNode, useState } from 'react'
import type { Exchange, SentRequest } from '../../src/protocol.ts'
import { customerText, type Failure, isNothingToShow } from '../shop/outcome.ts'
import { useShop } from '../shop/shop-context.ts'
import type { LogEntry } from '../shop/use-calls.ts'
import { plural, texts } from '../texts.ts'
import { compareResponses, formatCurl, isReplayed, tokenizeJson } from './read-exchange.ts'

/** The details of a call: request, response, and the messages for the customer and the developer. */
export function CallDetail({ entry, onLook }: { entry: LogEntry; onLook: (() => void) | null }) {
  const { config } = useShop()
  const { exchanges, failure } = entry
  const { method, summary } = endpoints[entry.endpoint]
  const [exchange, second] = exchanges
  const curl = exchange === undefined ? '' : formatCurl(exchange.request, config.apiKeyHeader)
  return (
    <div className="call-detail stack">
      <p className="soft small">
        <code>{entry.endpoint}</code> {summary}
      </p>
      {failure !== null && <BothMessages failure={failure} isRead={method === 'GET'} />}
      {exchange !== undefined && second !== undefined && (
        <BothResponses entry={entry} exchanges={[exchange, second]} onLook={onLook} />
      )}
      {exchange !== undefined && (
        <Part title="Request">
          <p className="mono">
            {exchange.request.method} {exchange.request.url}
          </p>
          <Headers headers={exchange.request.headers} />
          {exchange.request.body !== null && <JsonText text={exchange.request.body} />}
        </Part>
      )}
      {exchange?.response && second === undefined && (
        <Part title={`Response ${exchange.response.status}`}>
          <Headers headers={exchange.response.headers} />
          <JsonText text={exchange.response.body} />
        </Part>
      )}
      {exchange !== undefined && (
        <Part title="curl command" button={<CopyButton text={curl} label="Copy as curl" />}>
          <pre className="code" tabIndex={0}>
            {curl}
          </pre>
        </Part>
      )}
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

function BothMessages({ failure, isRead }: { failure: Failure; isRead: boolean }) {
  const customer =
    isRead && isNothingToShow(failure) ? 'No message. This part of the email is empty.' : customerText(failure)
  return (
    <dl className="both-sides stack">
      <div>
        <dt>Customer message</dt>
        <dd className="customer-reads">{customer}</dd>
      </div>
      <div>
        <dt>Developer message</dt>
        <dd>
          <code>{failure.code}</code> {failure.message}
        </dd>
      </div>
    </dl>
  )
}

function Headers({ headers }: { headers: SentRequest['headers'] }) {
  return (
    <details className="headers">
      <summary className="soft small">{plural(headers.length, 'header')}</summary>
      <dl>
        {headers.map(([name, value], index) => (
          <div key={index} className="mono">
            <dt className="soft">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** Both responses to a click that was sent twice, side by side, with their comparison. */
function BothResponses(props: {
  entry: LogEntry
  exchanges: readonly [Exchange, Exchange]
  onLook: (() => void) | null
}) {
  const { entry, exchanges, onLook } = props
  return (
    <Part title="Both responses">
      <div className="both-responses">
        {exchanges.map((exchange, index) => (
          <OneResponse key={index} exchange={exchange} isFirst={index === 0} isLost={index === 0 && entry.isLost} />
        ))}
      </div>
      <p className="small">{describeBoth(entry, exchanges)}</p>
      {onLook !== null && (
        <button className="link-button" onClick={onLook}>
          See the effect in the shop
        </button>
      )}
    </Part>
  )
}

/** Describes the effect of a click that was sent twice, based on the responses and the subscription. */
function describeBoth({ times }: LogEntry, exchanges: readonly [Exchange, Exchange]): string {
  if (times === 1) return texts.comparisons.countedOnce
  return texts.comparisons[(times ?? 0) > 1 ? 'countedTwice' : compareResponses(...exchanges)]
}

function OneResponse({ exchange, isFirst, isLost }: { exchange: Exchange; isFirst: boolean; isLost: boolean }) {
  const { response, problem, durationMs } = exchange
  return (
    <div className={isLost ? 'one-answer stack card lost' : 'one-answer stack card'}>
      <p>
        <strong>{isFirst ? 'First' : 'Second'}</strong>{' '}
        <StatusPill exchange={exchange} failure={null} isLost={isLost} />{' '}
        <span className="call-time soft">{durationMs.toFixed(1)} ms</span>
      </p>
      {isReplayed(exchange) && <p className="soft small">{texts.repeat}</p>}
      {isLost && <p className="soft small">The response was lost. The customer did not see it.</p>}
      {response === null ? <p className="soft small">{problem}</p> : <JsonText text={response.body} />}
    </div>
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

/** A button that copies a string, or displays a message if the browser denies access to the clipboard. */
function CopyButton({ text, label }: { text: string; label: string }) {
  const [said, setSaid] = useState<string | null>(null)

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied')
    } catch {
      setSaid('Select and copy the text')
    }
  }
  return (
    <button className="small-button" onClick={copy} onBlur={() => setSaid(null)}>
      <span aria-live="polite">{said ?? label}</span>
    </button>
  )
}
