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

/** What an error of the host says to a person; throws every other error again. */
export function sayHostError(error: unknown, words: { offline: string; failed: (reason: string) => string }): string {
  if (!(error instanceof HostError)) throw error
  return error.offline ? words.offline : words.failed(error.message)
}

/** Reads something from the host; throws HostError. */
export async function getFromHost<Answer>(name: string): Promise<Answer> {
  return readJson<Answer>(await fetchOk(`./playground/${name}`))
}

/** Has the host do something; throws HostError. */
export async function postToHost<Answer>(name: string, body: object): Promise<Answer> {
  return readJson<Answer>(await openPost(name, body))
}

/** Has the host do something, and returns its answer unread; throws HostError. */
export function openPost(name: string, body: object, signal?: AbortSignal): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' }
  return fetchOk(`./playground/${name}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal: signal ?? null,
  })
}

/** Signs this browser in, without leaving the page; throws HostError. */
export async function signIn(token: string): Promise<void> {
  await fetchOk(`./?token=${encodeURIComponent(token.toWellFormed())}`)
}

async function readJson<Answer>(response: Response): Promise<Answer> {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- our own host wrote the answer, so its form is not checked again
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

/** The envelope of a refusal; both are missing where something else than the host answered. */
async function readRefusal(response: Response): Promise<{ code?: string; message?: string }> {
  const body: unknown = await response.json().catch(() => undefined)
  const error: unknown = Reflect.get(Object(body), 'error')
  const { code, message }: { code?: unknown; message?: unknown } = Object(error)
  return { ...(typeof code === 'string' && { code }), ...(typeof message === 'string' && { message }) }
}
