import type { CallRequest, CheckRequest, Exchange, PlaygroundConfig } from '../../src/protocol.ts'

/** The host of the page did not answer, or not with what was asked for; `offline` when nothing came at all, `signedOut` when this browser must show the token again. */
export class HostError extends Error {
  override readonly name = 'HostError'
  readonly offline: boolean
  readonly signedOut: boolean

  constructor(message: string, status?: number) {
    super(message)
    this.offline = status === undefined
    this.signedOut = status === 403
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

/** Starts the conformance checks; throws HostError. The body is lines of JSON. */
export function fetchChecks(request: CheckRequest, signal: AbortSignal): Promise<Response> {
  return fetchOk('./playground/checks', { ...postOf(request), signal })
}

function postOf(body: CallRequest | CheckRequest): RequestInit {
  return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}

/** Our own host wrote the answer, so its form is not checked again. */
async function fetchJson<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetchOk(path, init)
  return response.json()
}

async function fetchOk(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, init).catch((error: unknown) => {
    throw new HostError(error instanceof Error ? error.message : '')
  })
  if (response.ok) return response
  const reason: unknown = await response
    .json()
    .then((body) => body.error.message)
    .catch(() => undefined)
  throw new HostError(typeof reason === 'string' ? reason : `HTTP ${response.status}`, response.status)
}
