import { StoreError } from '../contract/errors.ts'
import { type Answer, type Call, successAnswer } from '../http/call.ts'
import { changeStore, queryStore, reconcileStore, type StoreCall } from './call-store.ts'
import { endpointNames, endpoints, explainMethod, forEachEndpoint } from '../contract/endpoints.ts'
import { createKeyCheck } from '../http/check-api-key.ts'
import { explainPath } from './explain-path.ts'
import { failureAnswer, tellMerchant } from './failure.ts'
import type { Progress } from './observe.ts'
import { readBody, readQuery } from '../http/read-request.ts'
import type { Settings } from './settings.ts'
import { minorUnitDigits } from '../contract/fields.ts'
import type { EndpointName, StorePort } from '../contract/store-port.ts'
import { type CheckOutput, createOutputChecks } from './check-output.ts'
import { createInputReaders, type ReadInput } from './read-input.ts'

/** Answers a call, and writes into `progress` what is known of it by then; never rejects. */
type Pipeline = (call: Call, progress: Progress) => Promise<Answer>

/** Makes the way of a call: key, endpoint, method, store, input, once, the store's answer, or the answer to what was thrown on it. */
export function createPipeline(settings: Settings): Pipeline {
  const { basePath, guard, maxBodyBytes, maxConcurrent, timeoutMs, onError } = settings
  const admit = createKeyGate(settings)
  const routes = createRoutes(settings)
  const chooseStore = createStoreChoice(settings)
  let running = 0

  return async (call, progress) => {
    const { requestId } = progress
    running += 1
    try {
      if (running > maxConcurrent) throw new StoreError('store_unavailable', 'Too many calls at once: repeat it later.')
      const route = progress.endpoint === undefined ? routes.byPath.get(call.path) : routes.byName[progress.endpoint]
      if (route === undefined && !isBelow(basePath, call.path)) throw notBelow(basePath)
      const admitted = admit(call, progress)
      if (typeof admitted !== 'string') await admitted
      if (route === undefined) throw new StoreError('endpoint_not_found', explainPath(basePath, call.path))
      const { name, isQuery } = route
      progress.endpoint = name
      const allowsMethod = isQuery ? call.method === 'GET' || call.method === 'HEAD' : call.method === 'POST'
      if (!allowsMethod) throw new StoreError('method_not_allowed', explainMethod(name))
      const store = chooseStore(call, progress)
      const method = store[name]
      if (method === undefined) throw new StoreError('endpoint_not_available')
      const input = route.readInput(isQuery ? call.query : await readBody(call, maxBodyBytes))

      const asked: StoreCall = { store, name, method, input, check: route.checkOutput, timeoutMs, progress }
      if (isQuery) return successAnswer(await measure(queryStore(asked, call), progress), requestId)
      const { replayed, named } = await guard({
        call,
        name,
        input,
        testMode: progress.testMode,
        store,
        method,
        run: (idempotencyKey, click) => measure(changeStore(asked, idempotencyKey, click), progress),
        reconcile: (facts, limitMs) => reconcileStore(asked, facts, limitMs),
        onLedgerError: (error) => tellMerchant(error, 'internal_error', progress, onError),
      })
      progress.replayed = replayed
      return successAnswer(undefined, requestId, replayed && named)
    } catch (error) {
      return failureAnswer(error, progress, onError)
    } finally {
      running -= 1
    }
  }

  /** Keeps how long the store takes, for the observer of the call. */
  function measure(answering: Promise<unknown>, progress: Progress): Promise<unknown> {
    if (settings.observe === undefined) return answering
    const start = performance.now()
    return answering.finally(() => {
      progress.storeMs = performance.now() - start
    })
  }
}

function notBelow(basePath: string): StoreError {
  return new StoreError('endpoint_not_found', `No endpoint at this path. Every path starts with ${basePath}/`)
}

/** Whether a path is the base path or is below it. */
export function isBelow(basePath: string, path: string): boolean {
  return path.startsWith(basePath) && (path.length === basePath.length || path[basePath.length] === '/')
}

/** An endpoint, with what is made of its row of the contract table once, so that a call looks up one thing. */
interface Route {
  readonly name: EndpointName
  /** Whether it changes nothing: it answers GET and HEAD, the others POST. */
  readonly isQuery: boolean
  readonly readInput: ReadInput
  readonly checkOutput: CheckOutput
}

/** The routes of an integration. */
interface Routes {
  /** By the endpoint's name. */
  readonly byName: Readonly<Record<EndpointName, Route>>
  /** By path, compared as it was sent: no other letter case, no trailing slash, no decoding. */
  readonly byPath: ReadonlyMap<string, Route>
}

/** Makes the routes below the base path. */
function createRoutes({ basePath, maxQuantity, aliases, currency }: Settings): Routes {
  const readInput = createInputReaders(maxQuantity, aliases)
  const checkOutput = createOutputChecks(minorUnitDigits(currency))
  const byName = forEachEndpoint((name): Route => {
    const isQuery = endpoints[name].method === 'GET'
    return { name, isQuery, readInput: readInput[name], checkOutput: checkOutput[name] }
  })
  const byPath = new Map(endpointNames.map((name) => [basePath + endpoints[name].path, byName[name]]))
  return { byName, byPath }
}

/** Returns the API key of a call, or throws StoreError `unauthorized`; a promise only where one must wait. */
type KeyGate = (call: Call, progress: Progress) => string | Promise<string>

/** Makes the first step of every call: nobody without a key learns anything (AUTH-1 to AUTH-12). */
function createKeyGate({ apiKeyHeader, apiKeys, keyGuesses, timeoutMs, onError }: Settings): KeyGate {
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

/** Returns the store that answers a call. */
type ChooseStore = (call: Call, progress: Progress) => StorePort

/** Makes the choice between the real store and the test store (TEST-1, TEST-2). */
function createStoreChoice({ store, testStore, testModeHeader }: Settings): ChooseStore {
  const headerName = testModeHeader.toLowerCase()

  function storeFor(testMode: boolean): StorePort {
    if (!testMode) return store
    if (testStore !== undefined) return testStore
    throw new StoreError('invalid_request', `${testModeHeader}, test=true: this shop has no test store`)
  }

  return (call, progress) => {
    progress.testMode = asksForTestStore(call, testModeHeader, headerName)
    return storeFor(progress.testMode)
  }
}

/**
 * Whether a call asks for the test store, by its header or by `?test=true`.
 *
 * `headerName` is the header's in small letters. Throws StoreError `invalid_request` for any other word than `true` and `false`: a misspelt value must not reach the real store.
 */
function asksForTestStore(call: Call, testModeHeader: string, headerName: string): boolean {
  const byHeader = isTrue(call.header(headerName), testModeHeader)
  const byQuery = call.query.includes('test') && isTrue(readQuery(call.query, testName)['test'], 'test')
  return byHeader || byQuery
}

const testName = ['test']

function isTrue(word: string | null | undefined, where: string): boolean {
  if (word === null || word === undefined || word === 'false') return false
  if (word === 'true') return true
  throw new StoreError('invalid_request', `${where}: must be true or false`)
}
