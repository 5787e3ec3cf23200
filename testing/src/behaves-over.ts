import { createIntegration, type Integration } from '@storeport/core'
import { behavesLikeStorePort, type Mount } from '@storeport/conformance/vitest'
import { afterAll, describe, it } from 'vitest'
import type { MountKind, Mounted } from './mount-kind.ts'
import { keys } from './keys.ts'
import { memoryKind, type OpenedStore, type StoreKind } from './stores.ts'

/** Runs every check on a mount over the memory store, a new one for each check. */
export async function behavesOverMemory(name: string, mount: MountKind): Promise<void> {
  await behavesOver(`${name} over memory`, mount, await memoryKind(), 'anew')
}

/** Runs every check on a mount over a kind of store; opened anew for each check, or one for all of them. */
export async function behavesOver(
  name: string,
  mount: MountKind,
  kind: StoreKind,
  opened: 'anew' | 'once',
): Promise<void> {
  await behavesLikeStorePort(name, checkedMount(mount, kind, opened), { describe, it, afterAll })
}

/** A server that stays, and hands every call to the newest integration. */
function checkedMount(mount: MountKind, kind: StoreKind, opened: 'anew' | 'once'): Mount {
  let current: { integration: Integration; opened: OpenedStore } | undefined
  let mounted: Mounted | undefined

  async function renew(): Promise<Integration> {
    await current?.opened.close()
    const store = await kind.open()
    const integration = createIntegration({
      store: store.store,
      apiKeys: [keys.first, keys.second],
      retries: { ledger: store.ledger },
    })
    current = { integration, opened: store }
    return integration
  }

  return {
    ...(mount.cannot !== undefined && { cannot: mount.cannot }),
    ...(mount.skips !== undefined && { skips: mount.skips }),
    start: async () => {
      const first = await renew()
      const newest = () => current?.integration ?? first
      mounted = await mount.start({
        ...first,
        answer: (call, only) => newest().answer(call, only),
        fetch: (request) => newest().fetch(request),
      })
      return {
        apiKey: keys.first,
        secondApiKey: keys.second,
        ...(mounted.url !== undefined && { url: mounted.url }),
        ...(mounted.send !== undefined && { send: mounted.send }),
        ...(opened === 'anew' && {
          reset: async () => {
            await renew()
            mounted?.reset?.()
          },
        }),
        stop: async () => {
          await mounted?.stop?.()
          await current?.opened.close()
        },
      }
    },
  }
}
