import { endpointNames, forEachEndpoint } from '../contract/endpoints.ts'
import type { EndpointName } from '../contract/store-port.ts'
import { widgetsFor } from '../contract/widgets.ts'
import { type Answer, type Call, isBelow, safeRequestId } from '../http/call.ts'
import { callFromRequest, responseFromAnswer } from '../http/fetch-call.ts'
import { createPipeline } from './create-pipeline.ts'
import { failureAnswer } from './failure.ts'
import type { FetchContext, Integration, IntegrationOptions, Observe, Progress } from './integration.ts'
import { settingsFrom } from './settings.ts'
import { readTrace } from './trace-calls.ts'

/** Creates the API of a shop from its store. Throws TypeError for invalid options. */
export function createIntegration(options: IntegrationOptions): Integration {
  const settings = settingsFrom(options)
  const { basePath, apiKeyHeader, testModeHeader, currency, store, observe, onError } = settings
  const pipeline = createPipeline(settings)
  const offered = endpointNames.filter((name) => store[name] !== undefined)

  function answer(call: Call, only?: EndpointName): Promise<Answer> {
    return observe === undefined
      ? pipeline.answer(call, startProgress(call, only))
      : answerObserved(call, only, observe)
  }

  async function answerObserved(call: Call, only: EndpointName | undefined, wrap: Observe): Promise<Answer> {
    const run = async (trace = readTrace(call)) => {
      const progress = { ...startProgress(call, only), trace }
      progress.answer = await pipeline.answer(call, progress)
      return progress
    }
    try {
      return (await wrap(call, run)).answer
    } catch (error) {
      return failureAnswer(error, startProgress(call, only), onError)
    }
  }

  async function respond(request: Request, only?: EndpointName, context?: FetchContext): Promise<Response> {
    const call = callFromRequest(request, context)
    return responseFromAnswer(await answer(call, only), call.method)
  }

  return {
    basePath,
    apiKeyHeader,
    testModeHeader,
    currency,
    hasKeys: settings.apiKeys.length > 0,
    offered,
    widgets: widgetsFor(offered),
    answer,
    answerOutside: (call) =>
      pipeline
        .explainOutside(call, startProgress(call, undefined))
        ?.then((message) => (message === undefined ? undefined : answer(call))),
    owns: (path) => isBelow(basePath, path),
    fetch: (request, context) => respond(request, undefined, context),
    handlers: forEachEndpoint((name) => (request: Request) => respond(request, name)),
  }
}

/** Creates the state of a request. `endpoint` is set only if the handler belongs to one endpoint. */
function startProgress(call: Call, endpoint: EndpointName | undefined): Progress {
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
