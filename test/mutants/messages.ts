import { endpointNames, type EndpointName, endpoints } from '@storeport/core'

type Header = readonly [name: string, value: string]

/** A request, as a mutant sees it. */
export interface Sent {
  readonly method: string
  /** The path as it was sent. */
  readonly path: string
  /** The query as it was sent, without the question mark. */
  readonly query: string
  readonly headers: readonly Header[]
  readonly body: string | undefined
}

/** An answer, as a mutant gives it. */
export interface Answered {
  readonly status: number
  readonly headers: readonly Header[]
  readonly body: string
}

/** What a mutant makes of an answer. */
export type ChangeAnswer = (answered: Answered, sent: Sent) => Answered

/** The endpoints that change something, and those that do not. */
export const posts = endpointNames.filter((name) => endpoints[name].method === 'POST')
export const gets = endpointNames.filter((name) => endpoints[name].method === 'GET')

/** Whether a request is one to an endpoint. */
export function isTo({ path }: Pick<Sent, 'path'>, name: EndpointName): boolean {
  return path.endsWith(endpoints[name].path)
}

/** What the API key travels in. */
export const keyHeader = 'X-Integration-API-Key'

/** A header by its name; `undefined` when it is not there, the first one when it is there twice. */
export function header({ headers }: Pick<Sent, 'headers'>, name: string): string | undefined {
  return headers.find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1]
}

/** The message with a header set, or without it. */
export function withHeader<Message extends Pick<Sent, 'headers'>>(
  message: Message,
  name: string,
  value?: string,
): Message {
  const others = message.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase())
  return { ...message, headers: value === undefined ? others : [...others, [name, value] as const] }
}

/** The fields of a JSON body; none when it is no JSON object. */
export function fieldsOf({ body = '' }: { readonly body?: string | undefined }): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

/** The message with fields of its JSON body changed; one without such a body stays as it is. */
export function withFields<Message extends { readonly body?: string | undefined }>(
  message: Message,
  change: (fields: Record<string, unknown>) => Record<string, unknown>,
): Message {
  const fields = fieldsOf(message)
  return Object.keys(fields).length === 0 ? message : { ...message, body: JSON.stringify(change(fields)) }
}

/** Whether a value is an object with fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Replaces text in the body of every answer. */
export function replaceText(pattern: string | RegExp, by: string): ChangeAnswer {
  return (answered) => ({ ...answered, body: answered.body.replaceAll(pattern, by) })
}

/** Changes answers of one path alone. */
export function at(path: string, change: ChangeAnswer): ChangeAnswer {
  return (answered, sent) => (sent.path.endsWith(path) ? change(answered, sent) : answered)
}

/** Changes answers of one status alone. */
export function of(status: number, change: ChangeAnswer): ChangeAnswer {
  return (answered, sent) => (answered.status === status ? change(answered, sent) : answered)
}

/** An answer in the form of the API. */
export function answer(status: number, body: unknown): Answered {
  return { status, headers: [['Content-Type', 'application/json; charset=utf-8']], body: JSON.stringify(body) }
}

/** A refusal in the form of the API. */
export function refusal(status: number, code: string, message = 'No.'): Answered {
  return answer(status, { success: false, error: { code, message } })
}

/** A web page, as frameworks answer errors with. */
export function page(status: number, text = 'Error'): Answered {
  return { status, headers: [['Content-Type', 'text/html; charset=utf-8']], body: `<!doctype html><h1>${text}</h1>` }
}

/** Changes a field of a body, where it is there. */
export function changeField(field: string, change: (value: unknown) => unknown) {
  return (sent: Sent): Sent =>
    withFields(sent, (fields) => (field in fields ? { ...fields, [field]: change(fields[field]) } : fields))
}

/** The request as a POST with a JSON body. */
export function asPost(sent: Sent): Sent {
  return { ...withHeader(sent, 'Content-Type', 'application/json'), method: 'POST' }
}

/** The fields of a query. */
export function fieldsOfQuery({ query }: Sent): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query))
}
