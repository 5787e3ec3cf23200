import { StoreError } from '../errors.ts'
import { successAnswer } from './answers.ts'
import { changeStore, queryStore, reconcileStore, type StoreCall } from './ask-store.ts'
import { explainMethod } from './allowed-methods.ts'
import type { Answer, Call } from './call.ts'
import { createKeyGate } from './create-key-gate.ts'
import { createRoutes } from './create-routes.ts'
import { createStoreChoice } from './create-store-choice.ts'
import { explainPath } from './explain-path.ts'
import { failureAnswer, tellMerchant } from './failure.ts'
import type { Progress } from './progress.ts'
import { readBody } from './read-body.ts'
import type { Settings } from './settings.ts'

/** Answers a call, and writes into `progress` what is known of it by then; never rejects. */
export type Pipeline = (call: Call, progress: Progress) => Promise<Answer>

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
  return new StoreError('endpoint_not_found', `There is no endpoint at this path: every path starts with ${basePath}/`)
}

/** Whether a path is the base path or is below it. */
export function isBelow(basePath: string, path: string): boolean {
  return path.startsWith(basePath) && (path.length === basePath.length || path[basePath.length] === '/')
}
