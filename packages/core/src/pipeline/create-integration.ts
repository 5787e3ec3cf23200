import { endpointNames, forEachEndpoint } from '../contract/endpoints.ts'
import type { EndpointName } from '../contract/store-port.ts'
import { widgetsFor } from '../contract/widgets.ts'
import { callFromRequest, responseFromAnswer } from '../http/fetch-call.ts'
import { createPipeline, startProgress } from './create-pipeline.ts'
import { failureAnswer } from './failure.ts'
import type { FetchContext, Integration, IntegrationOptions, Observe } from './integration.ts'
import { settingsFrom } from './settings.ts'
import { readTrace } from './trace-calls.ts'

/** Creates the API of a shop from its store. Throws TypeError for invalid options. */
export function createIntegration(options: IntegrationOptions): Integration {
  const settings = settingsFrom(options)
  const { basePath, apiKeyHeader, testModeHeader, currency, store, observe, onError } = settings
  const pipeline = createPipeline(settings)
  const offered = endpointNames.filter((name) => store[name] !== undefined)

  // Without an observer, nothing runs between an adapter and the pipeline.
  const answer = observe === undefined ? pipeline.answer : answerWith(observe)

  function answerWith(wrap: Observe): Integration['answer'] {
    return async (call, only) => {
      const run = async (trace = readTrace(call)) => {
        const progress = { ...startProgress(call, only), trace }
        progress.answer = await pipeline.answer(call, only, progress)
        return progress
      }
      try {
        return (await wrap(call, run)).answer
      } catch (error) {
        return failureAnswer(error, startProgress(call, only), onError)
      }
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
      pipeline.explainOutside(call)?.then((message) => (message === undefined ? undefined : answer(call))),
    owns: pipeline.owns,
    fetch: (request, context) => respond(request, undefined, context),
    handlers: forEachEndpoint((name) => (request: Request) => respond(request, name)),
  }
}
