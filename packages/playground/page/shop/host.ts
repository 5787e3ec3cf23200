import { useSyncExternalStore } from 'react'
import type { Outcome } from './outcome.ts'

/** Reason why the playground server is unavailable: it is down, or the browser must sign in again. */
export type HostProblem = 'offline' | 'signedOut' | null

let problem: HostProblem = null
const listeners = new Set<() => void>()

/** Returns the problem of the last request to the playground server. */
export function useHostProblem(): HostProblem {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => problem,
  )
}

function report(found: HostProblem): void {
  problem = found
  for (const listener of listeners) listener()
}

/**
 * Sends a request to the playground server: POST with a body, otherwise GET. The failure `host_offline` means that no
 * response arrived. The message of each failure starts with a lowercase letter.
 */
export async function sendToHost<Answer>(path: string, body?: object): Promise<Outcome<Answer>> {
  const headers = { 'Content-Type': 'application/json' }
  const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(path, init).catch(() => null)
  if (response === null) {
    report('offline')
    return { ok: false, failure: { code: 'host_offline', message: 'the playground server is not responding.' } }
  }
  // A response from a proxy may contain neither JSON nor a code.
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok && (answer !== null || !path.startsWith('./playground/'))) {
    report(null)
    // oxlint-disable-next-line typescript/consistent-type-assertions -- the playground server wrote the response, so it is not validated
    return { ok: true, data: answer as Answer }
  }
  const { code, message }: { code?: unknown; message?: unknown } = Object(Reflect.get(Object(answer), 'error'))
  if (response.status === 403 && code === 'forbidden') report('signedOut')
  else if (problem === 'offline') report(null)
  return { ok: false, failure: { code: 'host_refused', message: String(message ?? `HTTP ${response.status}`) } }
}

/** Sends a request to the playground server. The message of a failure starts with `what`, and is for the user. */
export async function askHost<Answer>(path: string, what: string, body?: object): Promise<Outcome<Answer>> {
  const outcome = await sendToHost<Answer>(path, body)
  if (outcome.ok) return outcome
  return { ok: false, failure: { code: 'demo_failed', message: `${what}: ${outcome.failure.message}` } }
}
