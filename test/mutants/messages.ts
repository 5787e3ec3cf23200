import { endpointNames, type EndpointName, endpoints } from '@storeport/core'

type Header = readonly [name: string, value: string]

/** A request to the shop, which a mutant can change. */
export interface Sent {
  readonly method: string
  /** Path exactly as the client sent it. */
  readonly path: string
  /** Query string as the client sent it, without the question mark. */
  readonly query: string
  readonly headers: readonly Header[]
  readonly body: string | undefined
}

/** A response that a mutant can change. */
export interface Answered {
  readonly status: number
  readonly headers: readonly Header[]
  readonly body: string
}

export type ChangeAnswer = (answered: Answered, sent: Sent) => Answered

export const posts = endpointNames.filter((name) => endpoints[name].method === 'POST')
export const gets = endpointNames.filter((name) => endpoints[name].method === 'GET')

/** Returns whether a request is for an endpoint. */
export function isTo({ path }: Pick<Sent, 'path'>, name: EndpointName): boolean {
  return path.endsWith(endpoints[name].path)
}

/** Name of the header with the API key. */
export const keyHeader = 'X-Integration-API-Key'

/** Returns the first value of a header, or `undefined` if the header is missing. */
export function header({ headers }: Pick<Sent, 'headers'>, name: string): string | undefined {
  return headers.find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1]
}

/** Returns a copy of a message with a header set to `value`. Removes the header if `value` is missing. */
export function withHeader<Message extends Pick<Sent, 'headers'>>(
  message: Message,
  name: string,
  value?: string,
): Message {
  const others = message.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase())
  return { ...message, headers: value === undefined ? others : [...others, [name, value] as const] }
}

/** Returns the fields of a JSON body, or an empty object if the body is not a JSON object. */
export function fieldsOf({ body = '' }: { readonly body?: string | undefined }): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

/** Changes the fields of a JSON body. A message without a JSON object remains unchanged. */
export function withFields<Message extends { readonly body?: string | undefined }>(
  message: Message,
  change: (fields: Record<string, unknown>) => Record<string, unknown>,
): Message {
  const fields = fieldsOf(message)
  return Object.keys(fields).length === 0 ? message : { ...message, body: JSON.stringify(change(fields)) }
}

/** Returns whether a value is an object, and neither an array nor null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a change that replaces every match of a pattern in the body of a response. */
export function replaceText(pattern: string | RegExp, by: string): ChangeAnswer {
  return (answered) => ({ ...answered, body: answered.body.replaceAll(pattern, by) })
}

/** Applies a change only to responses from paths that end with `path`. */
export function at(path: string, change: ChangeAnswer): ChangeAnswer {
  return (answered, sent) => (sent.path.endsWith(path) ? change(answered, sent) : answered)
}

/** Applies a change only to responses with this status. */
export function of(status: number, change: ChangeAnswer): ChangeAnswer {
  return (answered, sent) => (answered.status === status ? change(answered, sent) : answered)
}

/** Returns a change of the status of a response. */
export function withStatus(status: number): ChangeAnswer {
  return (answered) => ({ ...answered, status })
}

/** Creates a JSON response. */
export function answer(status: number, body: unknown): Answered {
  return { status, headers: [['Content-Type', 'application/json; charset=utf-8']], body: JSON.stringify(body) }
}

/** The response of a successful action. */
export const done = answer(200, { success: true })

/** Creates an error response in the format of the API. */
export function failure(status: number, code: string, message = 'No.'): Answered {
  return answer(status, { success: false, error: { code, message } })
}

/** Creates an HTML error page like the pages that web frameworks return. */
export function page(status: number, text = 'Error'): Answered {
  return { status, headers: [['Content-Type', 'text/html; charset=utf-8']], body: `<!doctype html><h1>${text}</h1>` }
}

/** Returns a function that changes a field of a request body, if the field exists. */
export function changeField(field: string, change: (value: unknown) => unknown) {
  return (sent: Sent): Sent =>
    withFields(sent, (fields) => (field in fields ? { ...fields, [field]: change(fields[field]) } : fields))
}

/** Converts a request to a POST with a JSON body. */
export function asPost(sent: Sent): Sent {
  return { ...withHeader(sent, 'Content-Type', 'application/json'), method: 'POST' }
}

/** Returns the query parameters of a request. */
export function fieldsOfQuery({ query }: Sent): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query))
}
