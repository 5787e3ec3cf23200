import type {
  CallRequest,
  CallTwiceAnswer,
  CallTwiceRequest,
  CheckRequest,
  Exchange,
  MovedDate,
  PlaygroundConfig,
  ShopInside,
  TimeRequest,
} from '../../src/protocol.ts'

/** The host of the page did not answer, or not with what was asked for; `offline` when nothing came at all, `signedOut` when this browser must show the token again. */
export class HostError extends Error {
  override readonly name = 'HostError'
  readonly offline: boolean
  readonly signedOut: boolean

  constructor(message: string, status?: number, code?: string) {
    super(message)
    this.offline = status === undefined
    this.signedOut = status === 403 && code === 'forbidden'
  }
}

/** What the page must know; throws HostError. */
export function fetchConfig(): Promise<PlaygroundConfig> {
  return fetchJson<PlaygroundConfig>('./playground/config')
}

/** Has the host make a call with the key; throws HostError. */
export function fetchExchange(call: CallRequest): Promise<Exchange> {
  return fetchJson<Exchange>('./playground/call', postOf(call))
}

/** Has the host make a call as a click that comes twice; throws HostError. */
export function fetchExchanges(call: CallTwiceRequest): Promise<CallTwiceAnswer> {
  return fetchJson<CallTwiceAnswer>('./playground/call-twice', postOf(call))
}

/** What the shop has; throws HostError. */
export function fetchInside(): Promise<ShopInside> {
  return fetchJson<ShopInside>('./playground/shop')
}

/** Has the host move the shop's date and bill what is due; throws HostError. */
export function fetchMove(request: TimeRequest): Promise<MovedDate> {
  return fetchJson<MovedDate>('./playground/time', postOf(request))
}

/** Has the host put the seed back, and the date; throws HostError. */
export function fetchReset(): Promise<MovedDate> {
  return fetchJson<MovedDate>('./playground/reset', postOf({}))
}

/** Signs this browser in, without leaving the page; throws HostError. */
export async function signIn(token: string): Promise<void> {
  await fetchOk(`./?token=${encodeURIComponent(token.toWellFormed())}`, {})
}

/** Starts the conformance checks; throws HostError. The body is lines of JSON. */
export function fetchChecks(request: CheckRequest, signal: AbortSignal): Promise<Response> {
  return fetchOk('./playground/checks', { ...postOf(request), signal })
}

function postOf(body: object): RequestInit {
  return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}

async function fetchJson<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetchOk(path, init)
  // oxlint-disable-next-line typescript/consistent-type-assertions -- our own host wrote the answer, so its form is not checked again
  return (await response.json()) as Answer
}

async function fetchOk(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, init).catch((error: unknown) => {
    throw new HostError(error instanceof Error ? error.message : '')
  })
  if (response.ok) return response
  const { code, message } = await readRefusal(response)
  throw new HostError(message ?? `HTTP ${response.status}`, response.status, code)
}

/** The envelope of a refusal; both are missing where something else than the host answered. */
async function readRefusal(response: Response): Promise<{ code?: string; message?: string }> {
  const body: unknown = await response.json().catch(() => undefined)
  const error: unknown = Reflect.get(Object(body), 'error')
  const { code, message }: { code?: unknown; message?: unknown } = Object(error)
  return { ...(typeof code === 'string' && { code }), ...(typeof message === 'string' && { message }) }
}
