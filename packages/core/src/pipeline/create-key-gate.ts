import { StoreError } from '../errors.ts'
import type { KeyGuessLimit } from '../observe/observe.ts'
import type { Call } from './call.ts'
import { createKeyCheck } from './check-api-key.ts'
import { tellMerchant } from './failure.ts'
import type { Progress } from './progress.ts'
import type { Settings } from './settings.ts'

/** Returns the API key of a call, or throws StoreError `unauthorized` or `rate_limited`; a promise only where one must wait. */
export type KeyGate = (call: Call, progress: Progress) => string | Promise<string>

/** Makes the first step of every call: nobody without a key learns anything (AUTH-1 to AUTH-12). */
export function createKeyGate({ apiKeyHeader, apiKeys, keyGuesses, onError }: Settings): KeyGate {
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
    await keyGuesses?.failed(call)
    throw new StoreError('unauthorized', `Send a valid API key in the header ${apiKeyHeader}.`)
  }

  if (keyGuesses === undefined) return checkKey
  return async (call, progress) => {
    await refuseGuesser(call, keyGuesses)
    return checkKey(call, progress)
  }
}

async function refuseGuesser(call: Call, keyGuesses: KeyGuessLimit): Promise<void> {
  const retryAfter = await keyGuesses.blockedFor(call)
  if (retryAfter > 0)
    throw new StoreError('rate_limited', 'Too many wrong API keys: wait before the next try.', { retryAfter })
}
