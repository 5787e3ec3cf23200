import { sendTo } from '@storeport/conformance'
import { createClient } from '@storeport/client'
import { createIntegration } from '@storeport/core'
import { serve } from '@storeport/node'
import { keys } from '@storeport/testing/keys'
import type { MountKind } from '@storeport/testing/mount-kind'

/** Mounts an integration whose store calls another integration over HTTP. Both integrations must behave the same. */
export const clientMount: MountKind = {
  start: async (integration) => {
    const { url, close } = await serve(integration, { port: 0 })
    const store = createClient({ baseUrl: url, apiKey: keys.first })
    const createRelay = () => createIntegration({ store, apiKeys: [keys.first, keys.second] })
    let relay = createRelay()
    return {
      send: sendTo((request) => relay.fetch(request)),
      reset: () => {
        relay = createRelay()
      },
      stop: close,
    }
  },
}
