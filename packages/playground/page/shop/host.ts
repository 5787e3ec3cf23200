/** A failed request to the playground server: `offline` without a response, `signedOut` if sign-in is required. */
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

/** Returns the message for a HostError; rethrows any other error. */
export function hostMessage(error: unknown, words: { offline: string; failed: (reason: string) => string }): string {
  if (!(error instanceof HostError)) throw error
  return error.offline ? words.offline : words.failed(error.message)
}

/** Sends a GET request to the playground server; throws HostError. */
export async function getFromHost<Answer>(name: string): Promise<Answer> {
  return readJson<Answer>(await fetchOk(`./playground/${name}`))
}

/** Sends a POST request to the playground server and parses the response; throws HostError. */
export async function postToHost<Answer>(name: string, body: object): Promise<Answer> {
  return readJson<Answer>(await openPost(name, body))
}

/** Sends a POST request to the playground server and returns the unread response; throws HostError. */
export function openPost(name: string, body: object, signal?: AbortSignal): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' }
  return fetchOk(`./playground/${name}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal: signal ?? null,
  })
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
  const { code, message } = await readRefusal(response)
  throw new HostError(message ?? `HTTP ${response.status}`, response.status, code)
}

/** Returns the code and message of an error response. A response from a proxy may contain neither. */
async function readRefusal(response: Response): Promise<{ code?: string; message?: string }> {
  const body: unknown = await response.json().catch(() => undefined)
  const error: unknown = Reflect.get(Object(body), 'error')
  const { code, message }: { code?: unknown; message?: unknown } = Object(error)
  return { ...(typeof code === 'string' && { code }), ...(typeof message === 'string' && { message }) }
}
