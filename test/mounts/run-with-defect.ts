import { collectReport, runChecks, sendByHttp } from '@storeport/conformance'
import { createIntegration, endpointNames, type Integration } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import { keys } from '@storeport/testing/keys'
import type { Defect } from './defects.ts'
import { nodeMount } from './node.ts'

/** Runs checks on a node:http mount that has a defect and a memory store, and returns their outcomes. */
export async function runWithDefect(
  { changeRequest: createChange = () => (call) => call, changeResponse = (response) => response }: Defect,
  which: { readonly only: readonly string[] } | { readonly layer: 'wire' },
) {
  const apiKeys = [keys.first, keys.second]
  const correct = createIntegration({ store: createMemoryStore(), apiKeys, onError: () => {} })
  const changeRequest = createChange()
  const integration: Integration = {
    ...correct,
    answer: async (call, only) => changeResponse(await correct.answer(changeRequest(call), only), call),
  }
  const { url = '', stop } = await nodeMount.start(integration)
  try {
    const target = { send: sendByHttp(url), apiKey: keys.first, secondApiKey: keys.second }
    const run = runChecks({ ...target, mode: 'stress', offered: endpointNames, ...which })
    const { results } = await collectReport(run)
    return results.map(({ check, outcome, reason }) => ({ id: check.id, outcome, reason }))
  } finally {
    await stop?.()
  }
}
