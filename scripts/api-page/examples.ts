import { createIntegration, type EndpointName, endpointNames, namesFor } from '@storeport/core'
import { describeEndpoints } from '@storeport/core/openapi'
import { createMemoryStore } from '@storeport/store-memory'

/** The endpoints, as the API reference describes them. */
export const described = describeEndpoints({ ...namesFor(), offered: endpointNames })

/** Current date of the shop in the examples. The example responses depend on this date. */
export const exampleDay = '2026-12-01'

const apiKey = 'the-key-of-the-examples'

/** Sends the example of each endpoint to the same seeded shop; returns the response bodies. Throws if a request fails. */
export async function makeExamples(today = exampleDay): Promise<ReadonlyMap<EndpointName, unknown>> {
  const integration = createIntegration({ store: createMemoryStore({ today }), apiKeys: [apiKey] })
  const made = new Map<EndpointName, unknown>()
  for (const { name, path, row, input } of described) {
    const query = row.method === 'GET' ? `?${new URLSearchParams(Object.entries(input))}` : ''
    const response = await integration.fetch(
      new Request(`http://shop.example${path}${query}`, {
        method: row.method,
        headers: { 'X-Integration-API-Key': apiKey, 'Content-Type': 'application/json' },
        ...(row.method === 'POST' && { body: JSON.stringify(input) }),
      }),
    )
    if (!response.ok) throw new Error(`The example of ${name} returned ${response.status}: ${await response.text()}`)
    made.set(name, await response.json())
  }
  return made
}
