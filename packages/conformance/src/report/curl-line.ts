import type { PlainRequest } from '../http/plain-http.ts'

/** The shell variable that stands for the API key; the command reads the key from it too. */
export const keyVariable = 'STOREPORT_API_KEY'

/** The shell variable that stands for the second API key. */
export const secondKeyVariable = 'STOREPORT_SECOND_API_KEY'

/** How much of a body, or of the value of a header, is shown, in characters. */
const longest = 1500

/** A request as a line for a shell; `request` must be one without the keys. */
export function curlLine(baseUrl: string, request: PlainRequest): string {
  const { method, target, headers, body } = request
  const words = ['curl -i']
  if (/\/\.{1,2}(?:[/?]|$)/.test(target)) words.push('--path-as-is')
  if (method === 'HEAD') words.push('--head')
  else if (method !== (body === undefined ? 'GET' : 'POST')) words.push(`-X ${method}`)
  words.push(quote(baseUrl.replace(/\/$/, '') + target))
  for (const [name, value] of headers) words.push(`-H ${headerWord(name, value)}`)
  if (body === undefined) return words.join(' ')
  // Without a content type, curl says that a body is a form.
  if (!headers.some(([name]) => name.toLowerCase() === 'content-type')) words.push("-H 'Content-Type:'")
  return [...words, ...bodyWords(body)].join(' ')
}

function bodyWords(body: NonNullable<PlainRequest['body']>): readonly string[] {
  if (!(body instanceof Uint8Array))
    return ["-H 'Transfer-Encoding: chunked' --data-binary @-  # the body comes in pieces"]
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  if (text.length <= longest) return [`--data-raw ${quote(text)}`]
  return [`--data-raw ${quote(text.slice(0, longest))}  # and more: ${body.byteLength} bytes in all`]
}

function headerWord(name: string, value: string): string {
  if (value === '<key>') return `"${name}: $${keyVariable}"`
  if (value === '<second key>') return `"${name}: $${secondKeyVariable}"`
  if (value.length > longest)
    return `${quote(`${name}: ${value.slice(0, longest)}`)}  # and more: ${value.length} letters in all`
  // A header without a value is written with a semicolon.
  return quote(value === '' ? `${name};` : `${name}: ${value}`)
}

/** A word for a POSIX shell; control characters need the form that bash and zsh know. */
function quote(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  if (!/[\u0000-\u001f\u007f]/.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  const escaped = text.replace(/[\\'\u0000-\u001f\u007f]/g, (letter) =>
    letter === '\\' || letter === "'" ? `\\${letter}` : `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  return `$'${escaped}'`
}
