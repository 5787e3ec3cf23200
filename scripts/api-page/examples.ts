import { createIntegration, type EndpointName, endpointNames, endpoints } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import { describeOperation } from './description.ts'

/** The day of the examples: what they answer depends on it. */
export const exampleDay = '2026-12-01'

const apiKey = 'the-key-of-the-examples'

/** A call as a line for a shell, and what it answers. */
export interface CallExample {
  /** The command; it takes `SHOP` and `STOREPORT_API_KEY` from the shell. */
  readonly curl: string
  /** The body of the answer. */
  readonly answer: unknown
}

/** Makes the call of each endpoint's example, in their order, to one seeded shop. */
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
    if (!response.ok) throw new Error(`the example of ${name} is answered ${response.status}: ${await response.text()}`)
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
