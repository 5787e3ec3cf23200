import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { OpenAPIHandler } from '@orpc/openapi/node'
import { answerHeaders, requestIdOf } from '../by-hand/request-headers.ts'
import { runServer } from '../measure/run-server.ts'
import { orpcRouter } from '../peers/orpc.ts'

const handler = new OpenAPIHandler(orpcRouter)

async function listener(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const requestId = requestIdOf(one(req.headers['x-request-id']))
  for (const [name, value] of Object.entries(answerHeaders(requestId))) res.setHeader(name, value)
  const context = {
    apiKey: one(req.headers['x-integration-api-key']) ?? '',
    requestId,
    idempotencyKey: one(req.headers['idempotency-key']),
  }
  const { matched } = await handler.handle(req, res, { context })
  if (!matched) res.writeHead(404).end()
}

function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'object' ? value.join(', ') : value
}

runServer(createServer((req, res) => void listener(req, res)))
