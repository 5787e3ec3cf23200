import { endpointNames, endpoints, explainMethod, forEachEndpoint } from '../contract/endpoints.ts'
import { StoreError } from '../contract/errors.ts'
import { minorUnitDigits } from '../contract/money.ts'
import type { EndpointName } from '../contract/store-port.ts'
import { type Answer, type Call, safeRequestId, successAnswer } from '../http/call.ts'
import { sha256, within } from '../retries/runtime.ts'
import { changeStore, queryStore, reconcileStore, type StoreCall } from './call-store.ts'
import { type CheckOutput, createOutputChecks } from './check-output.ts'
import { explainPath, explainPrefix } from './explain-path.ts'
import { failureAnswer, reportFailure, reportLeftOut } from './failure.ts'
import type { Progress } from './integration.ts'
import { createInputReaders, createStoreSelection, readBody, type ReadInput } from './read-input.ts'
import { createRecordClick, type RecordedRequest } from './record-click.ts'
import { createLeftOutReports } from './report-left-out.ts'
import type { Settings } from './settings.ts'

const pausedMessage = 'The shop has paused this operation. Retry after the time in Retry-After.'
const pausedSeconds = 60

/** Creates the pipeline: checks key, endpoint, method, test mode and input, then runs the store and creates the response. */
export function createPipeline(settings: Settings) {
  const { basePath, guard, maxBodyBytes, maxConcurrent, timeoutMs, onError, onClick, isPaused } = settings
  const routes = createRoutes(settings)
  const checkKey = createCheckKey(settings)
  const selectStore = createStoreSelection(settings)
  const recordClick = onClick && createRecordClick(onClick, onError)
  const keyHeader = settings.apiKeyHeader.toLowerCase()
  let running = 0

  /** Returns whether a path is the base path or below it. */
  function owns(path: string): boolean {
    return path.startsWith(basePath) && (path.length === basePath.length || path[basePath.length] === '/')
  }

  /**
   * Returns the error message with the correction, if a request outside the base path has a valid key and the path of an
   * endpoint with a mistake. An invalid key is counted as a guess, and gets no correction. Returns a promise only for
   * such a path with a key, because other requests can be frequent.
   */
  function explainOutside(call: Call, progress = startProgress(call)): undefined | Promise<string | undefined> {
    if (owns(call.path) || !call.header(keyHeader)) return undefined
    const message = explainPrefix(basePath, call.path)
    if (message === undefined) return undefined
    return Promise.resolve(checkKey(call, progress)).then(
      () => message,
      () => undefined,
    )
  }

  /**
   * Handles a request and records its state in `progress`. If `only` is given, runs that endpoint and ignores the path.
   * Never rejects.
   */
  async function answer(call: Call, only?: EndpointName, progress = startProgress(call, only)): Promise<Answer> {
    const { requestId } = progress
    const times = recordClick && { date: Date.now(), start: performance.now() }
    let recorded: RecordedRequest | undefined
    running += 1
    try {
      if (running > maxConcurrent)
        throw new StoreError('store_unavailable', 'Too many concurrent requests. Retry after the time in Retry-After.')
      const route = only === undefined ? routes.byPath.get(call.path) : routes.byName[only]
      if (route === undefined && !owns(call.path))
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

  return { answer, explainOutside, owns }
}

/**
 * Returns the API key of a request, or rejects with StoreError `unauthorized`. Returns a promise only for an invalid key,
 * or if the runtime hashes asynchronously. Runs before the endpoint checks, so that a 401 response reveals no endpoint (AUTH-1 to AUTH-12).
 */
type CheckKey = (call: Call, progress: Progress) => string | Promise<string>

/**
 * Creates the API key check. A key is plain text or `sha256:<hex>`. Throws TypeError for a key that is too short or has
 * invalid characters.
 */
function createCheckKey({ apiKeyHeader, apiKeys, keyGuesses, timeoutMs, onError }: Settings): CheckKey {
  const keyHeader = apiKeyHeader.toLowerCase()
  for (const key of apiKeys) requireValidKey(key)
  let digests: readonly (string | Promise<string>)[] | undefined
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
    digests ??= apiKeys.map(digestOf)
    const digest = sha256(apiKey)
    if (typeof digest === 'string') return matchesAny(digest, digests) ? apiKey : reject(apiKey, call, progress)
    return Promise.all([digest, ...digests]).then(([sent, ...accepted]) =>
      matchesAny(sent, accepted) ? apiKey : reject(apiKey, call, progress),
    )
  }
}

const digestPrefix = 'sha256:'

function requireValidKey(key: string): void {
  if (key.startsWith(digestPrefix)) {
    if (/^[0-9a-f]{64}$/i.test(key.slice(digestPrefix.length))) return
    throw new TypeError(
      'apiKeys: a key that starts with sha256: must continue with the 64 hex digits of a SHA-256 digest',
    )
  }
  if (key.length < 16) throw new TypeError('apiKeys: a key must have at least 16 characters')
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError('apiKeys: a key must contain only visible ASCII characters and no spaces')
}

function digestOf(key: string): string | Promise<string> {
  return key.startsWith(digestPrefix) ? key.slice(digestPrefix.length).toLowerCase() : sha256(key)
}

/** Returns whether a digest is accepted, in constant time over the accepted digests. */
function matchesAny(digest: string, accepted: readonly (string | Promise<string>)[]): boolean {
  let matches = 0
  for (const other of accepted) matches += typeof other === 'string' && differences(digest, other) === 0 ? 1 : 0
  return matches > 0
}

/** Compares every character, so that the duration does not reveal the position of a difference. */
function differences(left: string, right: string): number {
  let found = left.length ^ right.length
  for (let index = 0; index < left.length; index++) found |= left.charCodeAt(index) ^ right.charCodeAt(index)
  return found
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

/** Creates the state of a request. `endpoint` is set only if the handler belongs to one endpoint. */
export function startProgress(call: Call, endpoint?: EndpointName): Progress {
  return {
    answer: noResponse,
    requestId: safeRequestId(call.header('x-request-id')) ?? crypto.randomUUID(),
    endpoint,
    route: undefined,
    code: undefined,
    replayed: false,
    testMode: false,
    paused: false,
    storeMs: undefined,
    trace: undefined,
  }
}

/** Placeholder that is replaced when the response exists. */
const noResponse: Answer = { status: 500, headers: {}, body: '' }
