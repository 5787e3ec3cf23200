import type { Exchange, SentRequest } from '../../src/protocol.ts'

/** Formats a request as a `curl` command for a POSIX shell. The API key is read from `$STOREPORT_API_KEY`. */
export function formatCurl({ method, url, headers, body }: SentRequest, apiKeyHeader: string): string {
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} ${quoteForShell(url)}`]
  for (const [name, value] of headers) {
    const isKey = name.toLowerCase() === apiKeyHeader.toLowerCase()
    lines.push(isKey ? `-H "${name}: $STOREPORT_API_KEY"` : `-H ${quoteForShell(`${name}: ${value}`)}`)
  }
  if (body !== null) lines.push(`--data-raw ${quoteForShell(body)}`)
  return lines.join(' \\\n  ')
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Describes the effect of a click that was sent twice, based on the responses and the number of changes. */
export function compareResponses(exchanges: readonly Exchange[], times: number | null) {
  if (times === 1) return 'countedOnce'
  if (times !== null && times > 1) return 'countedTwice'
  const worked = exchanges.filter(
    ({ response }) => response !== null && response.status >= 200 && response.status < 300,
  )
  if (worked.length < exchanges.length) return worked.length === 0 ? 'noneWorked' : 'oneRejected'
  return exchanges.some(isReplayed) ? 'replayed' : 'alike'
}

/** Whether a response is marked as a repeat, for which the shop made no further change. */
export function isReplayed({ response }: Exchange): boolean {
  return response?.headers.some(([name]) => name.toLowerCase() === 'idempotency-replayed') ?? false
}

/** A part of a JSON string, with its kind for highlighting. */
export interface Token {
  readonly kind: 'name' | 'string' | 'literal' | 'plain'
  readonly text: string
}

/** Indents a JSON string and splits it into tokens for highlighting. */
export function tokenizeJson(text: string): readonly Token[] {
  const json = indentJson(text)
  const tokens: Token[] = []
  let end = 0
  for (const match of json.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null|-?\d[\d.eE+-]*)\b/g)) {
    const [whole, string, colon] = match
    const kind = string === undefined ? 'literal' : colon === undefined ? 'string' : 'name'
    tokens.push({ kind: 'plain', text: json.slice(end, match.index) }, { kind, text: whole })
    end = match.index + whole.length
  }
  return [...tokens, { kind: 'plain', text: json.slice(end) }]
}

function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
