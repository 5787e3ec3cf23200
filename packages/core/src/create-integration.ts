import { successAnswer } from './pipeline/answers.ts'
import type { Answer, Call } from './pipeline/call.ts'
import { callStore, StoreContext } from './pipeline/call-store.ts'
import { createKeyCheck } from './pipeline/check-api-key.ts'
import { checkedNumber, checkedStore } from './pipeline/check-options.ts'
import { createOutputChecks } from './pipeline/check-output.ts'
import { endpointNames, forEachEndpoint } from './endpoints/endpoint-names.ts'
import { endpoints } from './endpoints/index.ts'
import { StoreError } from './errors.ts'
import { failureAnswer, logOnConsole, type Progress, tellMerchant } from './pipeline/failure.ts'
import { callFromRequest, responseFromAnswer } from './pipeline/fetch-call.ts'
import type { Integration, IntegrationOptions } from './integration.ts'
import type { KeyGuessLimit, Observe } from './observe/observe.ts'
import { allowsMethod, createMatcher } from './pipeline/match-endpoint.ts'
import { namesFor } from './names.ts'
import { readBody } from './pipeline/read-body.ts'
import { createInputReaders } from './pipeline/read-input.ts'
import { createGuard, unguardedKey } from './retries/create-guard.ts'
import type { EndpointName, StorePort } from './store-port.ts'
import { asksForTestStore } from './pipeline/test-mode.ts'
import { widgetsFor } from './endpoints/widgets.ts'

/** Makes the API of a shop out of its store; throws TypeError for options that cannot work. */
export function createIntegration(options: IntegrationOptions): Integration {
  const { basePath, apiKeyHeader, testModeHeader } = namesFor(options)
  const below = `${basePath}/`
  const keyHeader = apiKeyHeader.toLowerCase()
  const modeHeader = testModeHeader.toLowerCase()
  const store = checkedStore('store', options.store)
  const testStore = options.testStore === undefined ? undefined : checkedStore('testStore', options.testStore)
  const timeoutMs = checkedNumber('timeoutMs', options.timeoutMs ?? 10_000, 2 ** 31 - 1)
  const { observe } = options
  const onError = options.onError ?? logOnConsole
  const apiKeys = options.apiKeys.filter((key) => key !== undefined).filter((key) => key !== '')
  const isAccepted = createKeyCheck(apiKeys)
  let toldAboutNoKey = apiKeys.length > 0
  const matchEndpoint = createMatcher(basePath)
  const maxBodyBytes = checkedNumber('maxBodyBytes', options.maxBodyBytes ?? 65_536, 2 ** 30)
  const maxQuantity = checkedNumber('maxQuantity', options.maxQuantity ?? 1000, Number.MAX_SAFE_INTEGER)
  const readInput = createInputReaders(maxQuantity, options.aliases ?? {})
  const checkOutput = createOutputChecks()
  const guard = options.retries === false ? undefined : createGuard(options.retries ?? {}, timeoutMs)
  const maxConcurrent = checkedNumber('maxConcurrent', options.maxConcurrent ?? 10_000, Number.MAX_SAFE_INTEGER)
  let running = 0

  function answer(call: Call, only?: EndpointName): Promise<Answer> {
    return observe === undefined ? answerOf(call, only) : observedAnswer(call, only, observe)
  }

  async function observedAnswer(call: Call, only: EndpointName | undefined, observing: Observe): Promise<Answer> {
    const run = async () => {
      const progress = progressOf(call, only)
      progress.answer = await answerOf(call, only, progress)
      return progress
    }
    try {
      return (await observing(call, run)).answer
    } catch (error) {
      return failureAnswer(error, progressOf(call, only), onError)
    }
  }

  async function answerOf(call: Call, only?: EndpointName, progress = progressOf(call, only)): Promise<Answer> {
    running += 1
    try {
      if (running > maxConcurrent) throw new StoreError('store_unavailable', 'Too many calls at once: repeat it later.')
      return await pipeline(call, progress)
    } catch (error) {
      return failureAnswer(error, progress, onError)
    } finally {
      running -= 1
    }
  }

  function progressOf(call: Call, endpoint: EndpointName | undefined): Progress {
    return {
      answer: notAnswered,
      requestId: requestIdOf(call),
      endpoint,
      code: undefined,
      replayed: false,
      testMode: false,
      storeMs: undefined,
    }
  }

  /** Key, endpoint, method, store, input, once, the store's answer: whatever is wrong first is thrown. */
  async function pipeline(call: Call, progress: Progress): Promise<Answer> {
    const { requestId } = progress
    if (progress.endpoint === undefined && !owns(call.path))
      throw new StoreError('endpoint_not_found', `There is no endpoint at this path: every path starts with ${below}`)
    if (options.keyGuesses !== undefined) await refuseGuesser(call, options.keyGuesses)
    const apiKey = call.header(keyHeader) ?? ''
    const accepted = isAccepted(apiKey)
    if (accepted !== true && !(await accepted)) await refuseKey(call, progress)
    const name = progress.endpoint ?? matchEndpoint(call.path)
    if (name === undefined) throw new StoreError('endpoint_not_found')
    progress.endpoint = name
    if (!allowsMethod(name, call.method)) throw new StoreError('method_not_allowed')
    const testMode = asksForTestStore(call, modeHeader)
    progress.testMode = testMode
    const chosen = testMode ? requireTestStore() : store
    if (chosen[name] === undefined) throw new StoreError('endpoint_not_available')
    const isQuery = endpoints[name].method === 'GET'
    const input = readInput[name](isQuery ? call.query : await readBody(call, maxBodyBytes))
    const ask = (idempotencyKey: string, caller?: Call) =>
      timed(progress, () =>
        callStore(chosen, name, input, new StoreContext(requestId, idempotencyKey, testMode, caller), timeoutMs),
      )
    if (isQuery) return successAnswer(checkOutput[name](await ask(requestId, call)), requestId)
    const mutation = { call, name, input, testMode, apiKey, store: chosen }
    if (guard === undefined) {
      const key = unguardedKey(mutation)
      return successAnswer(checkOutput[name](await ask(typeof key === 'string' ? key : await key)), requestId)
    }
    const once = await guard(
      mutation,
      async (idempotencyKey) => checkOutput[name](await ask(idempotencyKey)),
      (error) => tellMerchant(error, 'internal_error', progress, onError),
    )
    progress.replayed = once.replayed
    return successAnswer(undefined, requestId, once.replayed && once.named)
  }

  /** Asks the store, and keeps how long that took for whoever observes. */
  function timed(progress: Progress, ask: () => Promise<unknown>): Promise<unknown> {
    if (observe === undefined) return ask()
    const start = performance.now()
    return ask().finally(() => {
      progress.storeMs = performance.now() - start
    })
  }

  async function refuseGuesser(call: Call, keyGuesses: KeyGuessLimit): Promise<void> {
    const retryAfter = await keyGuesses.blockedFor(call)
    if (retryAfter > 0)
      throw new StoreError('rate_limited', 'Too many wrong API keys: wait before the next try.', { retryAfter })
  }

  async function refuseKey(call: Call, progress: Progress): Promise<never> {
    if (!toldAboutNoKey) {
      toldAboutNoKey = true
      const error = new TypeError('apiKeys: is empty, so every call is refused: set a key')
      tellMerchant(error, 'unauthorized', progress, onError)
    }
    await options.keyGuesses?.failed(call)
    throw new StoreError('unauthorized', `Send a valid API key in the header ${apiKeyHeader}.`)
  }

  function requireTestStore(): StorePort {
    if (testStore !== undefined) return testStore
    throw new StoreError('invalid_request', 'test mode: this shop has no test store')
  }

  function owns(path: string): boolean {
    return path.startsWith(below) || path === basePath
  }

  async function respond(request: Request, only?: EndpointName): Promise<Response> {
    return responseFromAnswer(await answer(callFromRequest(request), only), request.method)
  }

  const offered = endpointNames.filter((name) => store[name] !== undefined)
  return {
    basePath,
    apiKeyHeader,
    testModeHeader,
    offered,
    widgets: widgetsFor(offered),
    answer,
    owns,
    fetch: (request) => respond(request),
    handlers: forEachEndpoint((name) => (request: Request) => respond(request, name)),
  }
}

/** Stands in an outcome until there is an answer. */
const notAnswered: Answer = { status: 500, headers: {}, body: '' }

/** An id that the caller sent is kept when it is safe to log; any other is replaced. */
function requestIdOf(call: Call): string {
  const sent = call.header('x-request-id')
  return typeof sent === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(sent) ? sent : crypto.randomUUID()
}
