import type { Outcome } from './outcome.ts'

/** Error of a request to the playground server. `offline`: no response arrived. `signedOut`: sign-in is required. */
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

/** Returns a message about a HostError, which starts with the failed operation `what`. Rethrows any other error. */
export function hostMessage(error: unknown, what: string): string {
  if (!(error instanceof HostError)) throw error
  return `${what}: ${error.offline ? 'the playground server is not responding.' : error.message}`
}

/**
 * Returns the outcome of a request to the playground server. A HostError becomes a failure with a message for the user.
 */
export async function toOutcome<Data>(request: Promise<Data>, what: string): Promise<Outcome<Data>> {
  try {
    return { ok: true, data: await request }
  } catch (error) {
    return { ok: false, failure: { code: 'demo_failed', message: hostMessage(error, what) } }
  }
}

/** Sends a GET request to the playground server; throws HostError. */
export async function getFromHost<Answer>(name: string): Promise<Answer> {
  return readJson<Answer>(await fetchOk(`./playground/${name}`))
}

/** Sends a POST request to the playground server and parses the response; throws HostError. */
export async function postToHost<Answer>(name: string, body: object): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json' }
  return readJson<Answer>(
    await fetchOk(`./playground/${name}`, { method: 'POST', headers, body: JSON.stringify(body) }),
  )
}

/** Signs this browser in with a token, without reloading the page; throws HostError. */
export async function signIn(token: string): Promise<void> {
  await fetchOk(`./?token=${encodeURIComponent(token.toWellFormed())}`)
}

async function readJson<Answer>(response: Response): Promise<Answer> {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the playground server wrote the response, so it is not validated
  return (await response.json()) as Answer
}

async function fetchOk(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, init).catch((error: unknown) => {
    throw new HostError(error instanceof Error ? error.message : '')
  })
  if (response.ok) return response
  // A response from a proxy may contain neither a code nor a message.
  const body: unknown = await response.json().catch(() => undefined)
  const { code, message }: { code?: unknown; message?: unknown } = Object(Reflect.get(Object(body), 'error'))
  throw new HostError(String(message ?? `HTTP ${response.status}`), response.status, String(code))
}
