import { endpoints } from '../endpoints/index.ts'
import { StoreError } from '../errors.ts'
import { minorUnitDigits } from '../schemas/currency.ts'
import { successAnswer } from './answers.ts'
import { changeStore, queryStore, reconcileStore, type StoreCall } from './ask-store.ts'
import type { Answer, Call } from './call.ts'
import { createOutputChecks } from './check-output.ts'
import { createKeyGate } from './create-key-gate.ts'
import { createStoreChoice } from './create-store-choice.ts'
import { explainPath } from './explain-path.ts'
import { tellMerchant } from './failure.ts'
import { allowsMethod, createMatcher, explainMethod } from './match-endpoint.ts'
import type { Progress } from './progress.ts'
import { readBody } from './read-body.ts'
import { createInputReaders } from './read-input.ts'
import type { Settings } from './settings.ts'

/** Answers a call, or throws whatever is wrong first; writes into `progress` what is known of the call by then. */
export type Pipeline = (call: Call, progress: Progress) => Promise<Answer>

/** Makes the way of a call: key, endpoint, method, store, input, once, the store's answer. */
export function createPipeline(settings: Settings): Pipeline {
  const { basePath, guard, maxBodyBytes, timeoutMs, onError } = settings
  const admit = createKeyGate(settings)
  const matchEndpoint = createMatcher(basePath)
  const chooseStore = createStoreChoice(settings)
  const readInput = createInputReaders(settings.maxQuantity, settings.aliases)
  const checkOutput = createOutputChecks(minorUnitDigits(settings.currency))

  return async (call, progress) => {
    const { requestId } = progress
    if (progress.endpoint === undefined && !isBelow(basePath, call.path))
      throw new StoreError(
        'endpoint_not_found',
        `There is no endpoint at this path: every path starts with ${basePath}/`,
      )
    const admitted = admit(call, progress)
    const apiKey = typeof admitted === 'string' ? admitted : await admitted
    const name = progress.endpoint ?? matchEndpoint(call.path)
    if (name === undefined) throw new StoreError('endpoint_not_found', explainPath(basePath, call.path))
    progress.endpoint = name
    if (!allowsMethod(name, call.method)) throw new StoreError('method_not_allowed', explainMethod(name))
    const store = chooseStore(call, name, progress)
    const isQuery = endpoints[name].method === 'GET'
    const input = readInput[name](isQuery ? call.query : await readBody(call, maxBodyBytes))

    const asked: StoreCall = { store, name, input, check: checkOutput[name], timeoutMs, progress }
    if (isQuery) return successAnswer(await measure(queryStore(asked, call), progress), requestId)
    const { replayed, named } = await guard({
      call,
      name,
      input,
      testMode: progress.testMode,
      apiKey,
      store,
      run: (idempotencyKey, click) => measure(changeStore(asked, idempotencyKey, click), progress),
      reconcile: (idempotencyKey, limitMs) => reconcileStore(asked, idempotencyKey, limitMs),
      onLedgerError: (error) => tellMerchant(error, 'internal_error', progress, onError),
    })
    progress.replayed = replayed
    return successAnswer(undefined, requestId, replayed && named)
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

/** Whether a path is the base path or is below it. */
export function isBelow(basePath: string, path: string): boolean {
  return path.startsWith(basePath) && (path.length === basePath.length || path[basePath.length] === '/')
}
