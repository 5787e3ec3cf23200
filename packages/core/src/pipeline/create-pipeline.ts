import { endpointNames, endpoints, explainMethod, forEachEndpoint } from '../contract/endpoints.ts'
import { StoreError } from '../contract/errors.ts'
import { minorUnitDigits } from '../contract/money.ts'
import type { EndpointName, StorePort } from '../contract/store-port.ts'
import { type Answer, type Call, isBelow, successAnswer } from '../http/call.ts'
import { createKeyCheck } from '../http/check-api-key.ts'
import { within } from '../retries/runtime.ts'
import { changeStore, queryStore, reconcileStore, type StoreCall } from './call-store.ts'
import { type CheckOutput, createOutputChecks } from './check-output.ts'
import { explainPath, explainPrefix } from './explain-path.ts'
import { failureAnswer, reportFailure, reportLeftOut } from './failure.ts'
import type { Progress } from './integration.ts'
import { createInputReaders, readBody, type ReadInput, readQuery } from './read-input.ts'
import { createRecordClick, type RecordedRequest } from './record-click.ts'
import { createLeftOutReports } from './report-left-out.ts'
import type { Settings } from './settings.ts'

interface Pipeline {
  /** Handles a request and records its state in `progress`. Never rejects. */
  answer(call: Call, progress: Progress): Promise<Answer>
  /**
   * Returns the error message with the correction, if a request outside the base path has a valid key and the path of an
   * endpoint with a mistake. An invalid key is counted as a guess, and gets no correction. Returns a promise only for
   * such a path with a key, because other requests can be frequent.
   */
  explainOutside(call: Call, progress: Progress): undefined | Promise<string | undefined>
}

const pausedMessage = 'The shop has paused this operation. Retry after the time in Retry-After.'
const pausedSeconds = 60

/** Creates the pipeline: checks key, endpoint, method, test mode and input, then runs the store and creates the response. */
export function createPipeline(settings: Settings): Pipeline {
  const { basePath, guard, maxBodyBytes, maxConcurrent, timeoutMs, onError, onClick, isPaused } = settings
  const routes = createRoutes(settings)
  const checkKey = createCheckKey(settings)
  const selectStore = createStoreSelection(settings)
  const recordClick = onClick && createRecordClick(onClick, onError)
  const keyHeader = settings.apiKeyHeader.toLowerCase()
  let running = 0

  function explainOutside(call: Call, progress: Progress): undefined | Promise<string | undefined> {
    if (isBelow(basePath, call.path) || !call.header(keyHeader)) return undefined
    const message = explainPrefix(basePath, call.path)
    return message === undefined ? undefined : explainWithKey(message, call, progress)
  }

  async function explainWithKey(message: string, call: Call, progress: Progress): Promise<string | undefined> {
    try {
      await checkKey(call, progress)
      return message
    } catch {
      return undefined
    }
  }

  async function answer(call: Call, progress: Progress): Promise<Answer> {
    const { requestId, endpoint: only } = progress
    const times = recordClick && { date: Date.now(), start: performance.now() }
    let recorded: RecordedRequest | undefined
    running += 1
    try {
      if (running > maxConcurrent)
        throw new StoreError('store_unavailable', 'Too many concurrent requests. Retry after the time in Retry-After.')
      const route = only === undefined ? routes.byPath.get(call.path) : routes.byName[only]
      if (route === undefined && !isBelow(basePath, call.path))
        throw new StoreError(
          'endpoint_not_found',
          (await explainOutside(call, progress)) ?? `No endpoint at this path. Every path starts with ${basePath}/`,
        )
      const checked = checkKey(call, progress)
      const apiKey = typeof checked === 'string' ? checked : await checked
      if (route === undefined) throw new StoreError('endpoint_not_found', explainPath(basePath, call.path))
      const { name, isQuery } = route
      progress.endpoint = name
      if (only === undefined) progress.route = call.path
      const allowsMethod = isQuery ? call.method === 'GET' || call.method === 'HEAD' : call.method === 'POST'
      if (!allowsMethod) throw new StoreError('method_not_allowed', explainMethod(name))
      const store = selectStore(call, progress)
      const method = store[name]
      const pause = isPaused?.(name)
      if (method === undefined || pause === 'hidden') throw new StoreError('endpoint_not_available')
      const sent = isQuery ? call.query : await readBody(call, maxBodyBytes)
      // Requests in test mode are not clicks of customers.
      if (times && !isQuery && !progress.testMode) recorded = { call, ...times, apiKey, sent, input: undefined }
      const input = route.readInput(sent)
      if (recorded) recorded.input = input
      // Checked after the input, so that the record of the click contains the input.
      if (pause === 'paused') {
        progress.paused = true
        throw new StoreError('store_unavailable', pausedMessage, { retryAfter: pausedSeconds })
      }

      const request: StoreCall = { store, name, method, input, check: route.checkOutput, timeoutMs, progress }
      if (isQuery) return successAnswer(await measure(queryStore(request, call), progress), requestId)
      const replayed = await guard({
        call,
        name,
        input,
        testMode: progress.testMode,
        store,
        method,
        run: (idempotencyKey, click) => measure(changeStore(request, idempotencyKey, click), progress),
        reconcile: (facts, limitMs) => reconcileStore(request, facts, limitMs),
        onLedgerError: (error) => reportFailure(error, 'internal_error', progress, onError),
      })
      progress.replayed = replayed
      if (recorded) recordClick?.(recorded, progress, 200)
      return successAnswer(undefined, requestId, replayed)
    } catch (error) {
      const failed = failureAnswer(error, progress, onError)
      if (recorded) recordClick?.(recorded, progress, failed.status)
      return failed
    } finally {
      running -= 1
    }
  }

  /** Measures the duration of the store call, for the observer. */
  function measure(storeCall: Promise<unknown>, progress: Progress): Promise<unknown> {
    if (settings.observe === undefined) return storeCall
    const start = performance.now()
    return storeCall.finally(() => {
      progress.storeMs = performance.now() - start
    })
  }

  return { answer, explainOutside }
}

/**
 * Returns the API key of a request, or throws StoreError `unauthorized`. Returns a promise only if the check is
 * asynchronous. Runs before the endpoint checks, so that a 401 response reveals no endpoint (AUTH-1 to AUTH-12).
 */
type CheckKey = (call: Call, progress: Progress) => string | Promise<string>

function createCheckKey({ apiKeyHeader, apiKeys, keyGuesses, timeoutMs, onError }: Settings): CheckKey {
  const keyHeader = apiKeyHeader.toLowerCase()
  const isAccepted = createKeyCheck(apiKeys)
  let hasReportedNoKey = apiKeys.length > 0

  async function reject(apiKey: string, call: Call, progress: Progress): Promise<never> {
    if (!hasReportedNoKey) {
      hasReportedNoKey = true
      const error = new TypeError('apiKeys: no API key is set, so every request is rejected. Set a key.')
      reportFailure(error, 'unauthorized', progress, onError)
    }
    try {
      // Only a sent key is a guess. Without a limit, requests would accumulate if `keyGuesses` never resolved.
      const waiting = apiKey === '' ? undefined : keyGuesses?.failed(call)
      if (waiting !== undefined) await within(waiting, timeoutMs, () => {})
    } catch (error) {
      reportFailure(error, 'unauthorized', progress, onError)
    }
    const message = `The API key is missing or invalid. Send a valid key in the header ${apiKeyHeader}.`
    throw new StoreError('unauthorized', message)
  }

  return (call, progress) => {
    const apiKey = call.header(keyHeader) ?? ''
    const accepted = isAccepted(apiKey)
    if (accepted === true) return apiKey
    if (accepted === false) return reject(apiKey, call, progress)
    return accepted.then((isValid) => (isValid ? apiKey : reject(apiKey, call, progress)))
  }
}

/** An endpoint with its input reader and its output check, so that a request needs one lookup. */
interface Route {
  readonly name: EndpointName
  /** Whether the endpoint is a read, which accepts GET and HEAD. Changes accept POST. */
  readonly isQuery: boolean
  readonly readInput: ReadInput
  readonly checkOutput: CheckOutput
}

function createRoutes({ basePath, maxQuantity, aliases, currency, onError }: Settings) {
  const readInput = createInputReaders(maxQuantity, aliases)
  const report = createLeftOutReports((line, progress: Progress) => reportLeftOut(line, progress, onError))
  const checkOutput = createOutputChecks(minorUnitDigits(currency), report)
  const byName = forEachEndpoint((name): Route => {
    const isQuery = endpoints[name].method === 'GET'
    return { name, isQuery, readInput: readInput[name], checkOutput: checkOutput[name] }
  })
  // A request path must match exactly: it is not decoded, lowercased or stripped of a trailing slash.
  const byPath = new Map(endpointNames.map((name) => [basePath + endpoints[name].path, byName[name]]))
  return { byName, byPath }
}

/** Creates the selection between the live store and the test store (TEST-1, TEST-2). */
function createStoreSelection({ store, testStore, testModeHeader }: Settings) {
  const headerName = testModeHeader.toLowerCase()
  return (call: Call, progress: Progress): StorePort => {
    progress.testMode = isTestRequest(call, testModeHeader, headerName)
    if (!progress.testMode) return store
    if (testStore !== undefined) return testStore
    throw new StoreError('invalid_request', `This shop has no test store. Omit ${testModeHeader} and test=true.`)
  }
}

/**
 * Whether a request selects the test store, by its header or by `?test=true`.
 *
 * Throws StoreError `invalid_request` for any value except `true` and `false`, so that a misspelled value never selects
 * the live store.
 */
function isTestRequest(call: Call, testModeHeader: string, headerName: string): boolean {
  const byHeader = isTrue(call.header(headerName), testModeHeader)
  const byQuery = call.query.includes('test') && isTrue(readQuery(call.query, testName)['test'], 'test')
  return byHeader || byQuery
}

const testName = ['test']

function isTrue(value: string | null | undefined, name: string): boolean {
  if (value === null || value === undefined || value === 'false') return false
  if (value === 'true') return true
  throw new StoreError('invalid_request', `${name}: must be true or false`)
}
