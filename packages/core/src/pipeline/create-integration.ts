import { endpointNames, forEachEndpoint } from '../contract/endpoints.ts'
import { widgetsFor } from '../contract/widgets.ts'
import type { FetchContext, Integration, IntegrationOptions } from './integration.ts'
import { createKeyCheckStep } from './check-key.ts'
import { createPipeline, type Pipeline } from './create-pipeline.ts'
import { createExplainOutside, isBelow } from './outside-path.ts'
import { callFromRequest, responseFromAnswer } from '../http/fetch-call.ts'
import { type Settings, settingsFrom } from './settings.ts'
import type { EndpointName } from '../contract/store-port.ts'
import { type Observe, startProgress } from './observe.ts'
import type { Answer, Call } from '../http/call.ts'
import { failureAnswer } from './failure.ts'
import { readTrace } from '../http/trace-context.ts'

/** Creates the API of a shop from its store. Throws TypeError for invalid options. */
export function createIntegration(options: IntegrationOptions): Integration {
  const settings = settingsFrom(options)
  const { basePath, apiKeyHeader, testModeHeader, currency, store } = settings
  const checkKey = createKeyCheckStep(settings)
  const explainOutside = createExplainOutside(settings, checkKey)
  const answer = createAnswer(settings, createPipeline(settings, checkKey, explainOutside))
  const offered = endpointNames.filter((name) => store[name] !== undefined)

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
      explainOutside(call, startProgress(call, undefined))?.then((message) =>
        message === undefined ? undefined : answer(call),
      ),
    owns: (path) => isBelow(basePath, path),
    fetch: (request, context) => respond(request, undefined, context),
    handlers: forEachEndpoint((name) => (request: Request) => respond(request, name)),
  }
}

/** Handles a request. If `only` is given, runs that endpoint and ignores the path. Never rejects. */
type AnswerCall = (call: Call, only?: EndpointName) => Promise<Answer>

/** Creates the request handler. If the option `observe` is set, wraps the pipeline in `observe`. */
function createAnswer({ observe, onError }: Settings, pipeline: Pipeline): AnswerCall {
  async function answerObserved(call: Call, only: EndpointName | undefined, wrap: Observe): Promise<Answer> {
    const run = async (trace = readTrace(call)) => {
      const progress = { ...startProgress(call, only), trace }
      progress.answer = await pipeline(call, progress)
      return progress
    }
    try {
      return (await wrap(call, run)).answer
    } catch (error) {
      return failureAnswer(error, startProgress(call, only), onError)
    }
  }

  if (observe === undefined) return (call, only) => pipeline(call, startProgress(call, only))
  return (call, only) => answerObserved(call, only, observe)
}
