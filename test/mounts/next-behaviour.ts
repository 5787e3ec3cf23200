import { createIntegration, type Integration } from '@storeport/core'
import type { Mount } from '@storeport/conformance/vitest'
import { createMemoryStore } from '@storeport/store-memory'
import { keys } from '@storeport/testing/keys'
import type { MountKind } from '@storeport/testing/stores/mount-kind'

/** Runs the checks on one Next server. Each check has its own integration and memory store. */
export function overMemory(mount: MountKind): Mount {
  return {
    fresh: true,
    ...(mount.skips !== undefined && { skips: mount.skips }),
    unsupported: mount.unsupported ?? [],
    start: async () => {
      const integration = createIntegration({ store: createMemoryStore(), apiKeys: [keys.first, keys.second] })
      return { ...(await startAt(mount, integration)), apiKey: keys.first, secondApiKey: keys.second }
    },
  }
}

/** Runs the checks on a server with its own store, which all checks share. */
export function overItsOwnStore(mount: MountKind): Mount {
  return {
    ...overMemory(mount),
    fresh: false,
    start: async () => {
      const unused = createIntegration({ store: {}, apiKeys: [] })
      return { ...(await startAt(mount, unused)), apiKey: keys.first }
    },
  }
}

async function startAt(mount: MountKind, integration: Integration): Promise<{ url: string }> {
  const { url } = await mount.start(integration)
  if (url === undefined) throw new TypeError('The Next mount has no URL.')
  return { url }
}
