import { endpointNames, forEachEndpoint } from './endpoints/endpoint-names.ts'
import { widgetsFor } from './endpoints/widgets.ts'
import type { Integration, IntegrationOptions } from './integration.ts'
import { createAnswer } from './pipeline/create-answer.ts'
import { isBelow } from './pipeline/create-pipeline.ts'
import { callFromRequest, responseFromAnswer } from './pipeline/fetch-call.ts'
import { settingsFrom } from './pipeline/settings.ts'
import type { EndpointName } from './store-port.ts'

/** Makes the API of a shop out of its store; throws TypeError for options that cannot work. */
export function createIntegration(options: IntegrationOptions): Integration {
  const settings = settingsFrom(options)
  const { basePath, apiKeyHeader, testModeHeader, currency, store } = settings
  const answer = createAnswer(settings)
  const offered = endpointNames.filter((name) => store[name] !== undefined)

  async function respond(request: Request, only?: EndpointName): Promise<Response> {
    const call = callFromRequest(request)
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
    owns: (path) => isBelow(basePath, path),
    fetch: (request) => respond(request),
    handlers: forEachEndpoint((name) => (request: Request) => respond(request, name)),
  }
}
