import { serve } from '@storeport/node'
import type { MountKind } from '@storeport/testing/stores/mount-kind'

export const nodeMount: MountKind = {
  start: async (integration) => {
    const { url, close } = await serve(integration, { port: 0 })
    return { url, stop: close }
  },
}
