import { StoreError } from '../contract/errors.ts'
import type { Call } from '../http/call.ts'
import { createKeyCheck } from '../http/check-api-key.ts'
import { tellMerchant } from './failure.ts'
import type { Progress } from './observe.ts'
import type { Settings } from './settings.ts'

/** Returns the API key of a call, or throws StoreError `unauthorized`; a promise only where one must wait. */
export type KeyGate = (call: Call, progress: Progress) => string | Promise<string>

/** Makes the first step of every call: nobody without a key learns anything (AUTH-1 to AUTH-12). */
export function createKeyGate({ apiKeyHeader, apiKeys, keyGuesses, timeoutMs, onError }: Settings): KeyGate {
  const keyHeader = apiKeyHeader.toLowerCase()
  const isAccepted = createKeyCheck(apiKeys)
  let toldAboutNoKey = apiKeys.length > 0

  function checkKey(call: Call, progress: Progress): string | Promise<string> {
    const apiKey = call.header(keyHeader) ?? ''
    const accepted = isAccepted(apiKey)
    if (accepted === true) return apiKey
    if (accepted === false) return refuse(call, progress)
    return accepted.then((late) => (late ? apiKey : refuse(call, progress)))
  }

  async function refuse(call: Call, progress: Progress): Promise<never> {
    if (!toldAboutNoKey) {
      toldAboutNoKey = true
      const error = new TypeError('apiKeys: is empty, so every call is refused: set a key')
      tellMerchant(error, 'unauthorized', progress, onError)
    }
    try {
      await waitAtMost(timeoutMs, keyGuesses?.failed(call))
    } catch (error) {
      tellMerchant(error, 'unauthorized', progress, onError)
    }
    throw new StoreError('unauthorized', `Send a valid API key in the header ${apiKeyHeader}.`)
  }

  return checkKey
}

/** A limit that hangs must not fill the integration with calls that wait for it. */
function waitAtMost(ms: number, waited: void | Promise<void>): void | Promise<void> {
  if (waited === undefined) return
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    Promise.resolve(waited)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}
