import type { Exchange, SentRequest } from '../../src/protocol.ts'

/** A request as a command for a POSIX shell; the key is the variable `$STOREPORT_API_KEY`, never the key itself. */
export function curlOf({ method, url, headers, body }: SentRequest, apiKeyHeader: string): string {
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

/** What the two answers to one click tell of each other, as far as the wire shows it. */
export type Comparison = 'replayed' | 'alike' | 'oneRefused' | 'noneWorked'

/** Compares the answers to a click that came twice. */
export function compareAnswers(first: Exchange, second: Exchange): Comparison {
  const worked = [first, second].filter(hasWorked).length
  if (worked === 0) return 'noneWorked'
  if (worked === 1) return 'oneRefused'
  const isReplayed = second.response?.headers.some(([name]) => name.toLowerCase() === 'idempotency-replayed')
  return isReplayed === true ? 'replayed' : 'alike'
}

function hasWorked({ response }: Exchange): boolean {
  return response !== null && response.status >= 200 && response.status < 300
}

/** A part of a JSON text, and what it is. */
export interface Token {
  readonly kind: 'name' | 'string' | 'literal' | 'plain'
  readonly text: string
}

/** Indents a JSON text and cuts it into its parts; anything else stays one part, as it came. */
export function tokensOf(text: string): readonly Token[] {
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
