import type { EndpointName } from '@storeport/core'
import { createLimit } from './check-limit.ts'
import type { Check } from './check.ts'
import { discoverEndpoints } from './discover-endpoints.ts'
import { prepareCheck } from './prepare-check.ts'
import type { CheckOptions, RunOptions } from './run-options.ts'

/** What discovery fails as: no check, but it needs the expectations of one. */
const discovery: Check = {
  id: 'discovery',
  title: 'The shop can be reached.',
  requirements: ['ROUTE-1'],
  mode: 'read-only',
  layer: 'wire',
  needs: [],
  async run() {},
}

/** The endpoints that the shop of a run offers; throws ShopError when it cannot be reached or refuses the key. */
export async function offeredBy(options: RunOptions & Pick<CheckOptions, 'onWait'>): Promise<readonly EndpointName[]> {
  const limit = createLimit(options)
  try {
    const { context } = prepareCheck(discovery, { ...options, offered: [] }, limit)
    return await discoverEndpoints(context, options.send.host ?? 'the shop')
  } finally {
    limit.end()
  }
}
