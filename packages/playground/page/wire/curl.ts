import type { SentRequest } from '../../src/protocol.ts'

/** The shell variable that holds the key. */
const keyVariable = '$STOREPORT_API_KEY'

/** A request as a command for a POSIX shell; the key is a variable, never the key itself. */
export function curlOf({ method, url, headers, body }: SentRequest, apiKeyHeader: string): string {
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} ${quoteForShell(url)}`]
  for (const [name, value] of headers) {
    const isKey = name.toLowerCase() === apiKeyHeader.toLowerCase()
    lines.push(isKey ? `-H "${name}: ${keyVariable}"` : `-H ${quoteForShell(`${name}: ${value}`)}`)
  }
  if (body !== null) lines.push(`--data-raw ${quoteForShell(body)}`)
  return lines.join(' \\\n  ')
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
