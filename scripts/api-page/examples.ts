import { createIntegration, type EndpointName, endpointNames, endpoints } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import { describeOperation } from './description.ts'

/** Date of the examples. Their responses depend on it. */
export const exampleDay = '2026-12-01'

const apiKey = 'the-key-of-the-examples'

/** A request as a shell command, and its response. */
export interface CallExample {
  /** The command. It reads `SHOP` and `STOREPORT_API_KEY` from the shell. */
  readonly curl: string
  /** Body of the response. */
  readonly answer: unknown
}

/** Sends the example request of each endpoint, in order, to one seeded shop. */
export async function makeExamples(): Promise<ReadonlyMap<EndpointName, CallExample>> {
  const integration = createIntegration({ store: createMemoryStore({ today: exampleDay }), apiKeys: [apiKey] })
  const made = new Map<EndpointName, CallExample>()
  for (const name of endpointNames) {
    const { path, query, body } = callOf(name)
    const response = await integration.fetch(
      new Request(`http://shop.example${path}${query}`, {
        method: endpoints[name].method,
        headers: { 'X-Integration-API-Key': apiKey, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body }),
      }),
    )
    if (!response.ok) throw new Error(`The example of ${name} returned ${response.status}: ${await response.text()}`)
    made.set(name, { curl: toCurl(path + query, body), answer: await response.json() })
  }
  return made
}

function callOf(name: EndpointName) {
  const { path, parameters, example } = describeOperation(name)
  if (endpoints[name].method === 'POST') return { path, query: '', body: JSON.stringify(example) }
  const shown = parameters.flatMap((parameter) =>
    parameter.in === 'query' && parameter.example !== undefined
      ? [`${parameter.name}=${String(parameter.example)}`]
      : [],
  )
  return { path, query: shown.length === 0 ? '' : `?${shown.join('&')}`, body: undefined }
}

function toCurl(pathAndQuery: string, body: string | undefined): string {
  const lines = [`curl "$SHOP${pathAndQuery}"`, '-H "X-Integration-API-Key: $STOREPORT_API_KEY"']
  if (body !== undefined) lines.push('-H "Content-Type: application/json"', `-d '${body}'`)
  return lines.join(' \\\n  ')
}
