import { createIntegration } from '@storeport/core'
import { expect, it } from 'vitest'
import { toApiRoute } from '../src/pages.ts'

it('rejects the first request if the route is not in a folder /integration', async () => {
  const route = toApiRoute(createIntegration({ store: {}, apiKeys: [] }))
  const call = Reflect.apply(route, undefined, [{ url: '/api/shop/upsells/products' }, {}])
  await expect(call).rejects.toThrow(
    "The route is not in a folder /integration. Rename the folder, or set the option basePath to the folder's path.",
  )
})
