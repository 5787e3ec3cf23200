import { StoreError } from '../contract/errors.ts'
import type { Call } from '../http/call.ts'
import { createKeyCheck } from '../http/check-api-key.ts'
import { reportFailure } from './failure.ts'
import type { Progress } from './observe.ts'
import type { Settings } from './settings.ts'

/** Returns the API key of a request, or throws StoreError `unauthorized`. Returns a promise only if the check is asynchronous. */
export type CheckKey = (call: Call, progress: Progress) => string | Promise<string>

/**
 * Creates the API key check. It runs before the endpoint checks, so that a 401 response reveals no endpoint (AUTH-1 to
 * AUTH-12).
 */
export function createKeyCheckStep({ apiKeyHeader, apiKeys, keyGuesses, timeoutMs, onError }: Settings): CheckKey {
  const keyHeader = apiKeyHeader.toLowerCase()
  const isAccepted = createKeyCheck(apiKeys)
  let hasReportedNoKey = apiKeys.length > 0

  function checkKey(call: Call, progress: Progress): string | Promise<string> {
    const apiKey = call.header(keyHeader) ?? ''
    const accepted = isAccepted(apiKey)
    if (accepted === true) return apiKey
    if (accepted === false) return reject(apiKey, call, progress)
    return accepted.then((isValid) => (isValid ? apiKey : reject(apiKey, call, progress)))
  }

  async function reject(apiKey: string, call: Call, progress: Progress): Promise<never> {
    if (!hasReportedNoKey) {
      hasReportedNoKey = true
      const error = new TypeError('apiKeys: no API key is set, so every request is rejected. Set a key.')
      reportFailure(error, 'unauthorized', progress, onError)
    }
    try {
      // A request without a key guesses nothing.
      if (apiKey !== '') await waitAtMost(timeoutMs, keyGuesses?.failed(call))
    } catch (error) {
      reportFailure(error, 'unauthorized', progress, onError)
    }
    throw new StoreError(
      'unauthorized',
      `The API key is missing or invalid. Send a valid key in the header ${apiKeyHeader}.`,
    )
  }

  return checkKey
}

/**
 * Waits for a promise, but at most `ms` milliseconds. Without a limit, requests would accumulate if `keyGuesses` never
 * resolved.
 */
function waitAtMost(ms: number, waited: void | Promise<void>): void | Promise<void> {
  if (waited === undefined) return
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    Promise.resolve(waited)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}
