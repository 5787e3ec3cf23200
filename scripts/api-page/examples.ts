import { createIntegration, type EndpointName, endpointNames, endpoints } from '@storeport/core'
import { describeOperation } from '@storeport/core/openapi'
import { createMemoryStore } from '@storeport/store-memory'
import { pathOf } from './description.ts'

/** Current date of the shop in the examples. The example responses depend on this date. */
export const exampleDay = '2026-12-01'

const apiKey = 'the-key-of-the-examples'

/** An example request as a shell command, with its response. */
export interface CallExample {
  /** `curl` command that uses the shell variables `SHOP` and `STOREPORT_API_KEY`. */
  readonly curl: string
  /** Parsed response body. */
  readonly answer: unknown
}

/** Sends the example request of each endpoint to the same seeded shop, in sequence. Throws if a request fails. */
export async function makeExamples(today = exampleDay): Promise<ReadonlyMap<EndpointName, CallExample>> {
  const integration = createIntegration({ store: createMemoryStore({ today }), apiKeys: [apiKey] })
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
  const path = pathOf(name)
  const { input } = describeOperation(name)
  if (endpoints[name].method === 'POST') return { path, query: '', body: JSON.stringify(input) }
  const query = Object.entries(input).map((field) => field.join('='))
  return { path, query: query.length === 0 ? '' : `?${query.join('&')}`, body: undefined }
}

function toCurl(pathAndQuery: string, body: string | undefined): string {
  const lines = [`curl "$SHOP${pathAndQuery}"`, '-H "X-Integration-API-Key: $STOREPORT_API_KEY"']
  if (body !== undefined) lines.push('-H "Content-Type: application/json"', `-d '${body}'`)
  return lines.join(' \\\n  ')
}
