import { createIntegration, type Integration } from '@storeport/core'
import type { Mount } from '@storeport/conformance/vitest'
import { createMemoryStore } from '@storeport/store-memory'
import { keys } from '@storeport/testing/keys'
import type { MountKind } from '@storeport/testing/mount-kind'

/** How the checks run over a mount in Next: the server stays, each check gets an integration and a store of its own. */
export function overMemory(mount: MountKind): Mount {
  return {
    fresh: true,
    ...(mount.skips !== undefined && { skips: mount.skips }),
    cannot: mount.cannot ?? [],
    start: async () => {
      const integration = createIntegration({ store: createMemoryStore(), apiKeys: [keys.first, keys.second] })
      return { ...(await addressOf(mount, integration)), apiKey: keys.first, secondApiKey: keys.second }
    },
  }
}

/** How they run over a server that keeps its own store: one for all checks. */
export function overItsOwnStore(mount: MountKind): Mount {
  return {
    ...overMemory(mount),
    fresh: false,
    start: async () => {
      const unused = createIntegration({ store: {}, apiKeys: [] })
      return { ...(await addressOf(mount, unused)), apiKey: keys.first }
    },
  }
}

async function addressOf(mount: MountKind, integration: Integration): Promise<{ url: string }> {
  const { url } = await mount.start(integration)
  if (url === undefined) throw new TypeError('a route of Next has an address')
  return { url }
}
