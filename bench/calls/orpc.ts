import { OpenAPIHandler } from '@orpc/openapi/fetch'
import { answerHeaders, requestIdOf } from '../by-hand/request-headers.ts'
import { runHandler } from '../measure/run-handler.ts'
import { orpcRouter } from '../peers/orpc.ts'

const handler = new OpenAPIHandler(orpcRouter)

runHandler(async (request) => {
  const requestId = requestIdOf(request.headers.get('x-request-id'))
  const context = {
    apiKey: request.headers.get('x-integration-api-key') ?? '',
    requestId,
    idempotencyKey: request.headers.get('idempotency-key'),
  }
  const { response } = await handler.handle(request, { context })
  if (response === undefined) return new Response(null, { status: 404 })
  for (const [name, value] of Object.entries(answerHeaders(requestId))) response.headers.set(name, value)
  return response
})
