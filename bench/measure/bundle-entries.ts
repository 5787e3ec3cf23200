const shop = `{ apiKeys: ['bench-key-0123456789abcdef'], store: { delaySubscription: async () => {} } }`
const fields = `{ email: z.string().check(z.regex(/@/)), new_date: z.string().check(z.regex(/-/)) }`

/** One endpoint with everything it needs, or a library with the least that one would use of it. */
export const bundleEntries = {
  'StorePort, one endpoint': `
    import { createIntegration } from '@storeport/core'
    export default createIntegration(${shop})`,
  'zod/mini alone': `
    import * as z from 'zod/mini'
    export default z.object(${fields})`,
  'zod alone': `
    import * as z from 'zod'
    export default z.object(${fields})`,
  'zod alone, as { z }': `
    import { z } from 'zod'
    export default z.object(${fields})`,
  'Hono alone, one route': `
    import { Hono } from 'hono'
    export default new Hono().post('/delay', (context) => context.json({ success: true }))`,
  'oRPC alone, one procedure': `
    import { os } from '@orpc/server'
    import { OpenAPIHandler } from '@orpc/openapi/fetch'
    const delay = os.route({ method: 'POST', path: '/delay' }).handler(() => ({ success: true }))
    const handler = new OpenAPIHandler({ delay })
    export default { fetch: async (request) => (await handler.handle(request)).response }`,
} as const

/** Name of what is bundled. */
export type BundleEntry = keyof typeof bundleEntries
