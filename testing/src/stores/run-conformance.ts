import { createIntegration, type Integration } from '@storeport/core'
import { behavesLikeStorePort, type Mount } from '@storeport/conformance/vitest'
import { afterAll, describe, it } from 'vitest'
import type { MountKind, Mounted } from './mount-kind.ts'
import { keys } from '../keys.ts'
import { memoryKind, type StoreKind } from './stores.ts'

/** Defines a test for each wire-layer check, against a mount with the memory store. */
export function checkWireLayer(name: string, mount: MountKind): Promise<void> {
  return checkLayer(`${name}, wire layer`, mount, memoryKind, 'wire')
}

/** Defines a test for each shop-layer check, against a mount with a kind of store. */
export function checkShopLayer(name: string, mount: MountKind, kind: StoreKind): Promise<void> {
  return checkLayer(`${name}, shop layer`, mount, kind, 'shop')
}

async function checkLayer(name: string, mount: MountKind, kind: StoreKind, layer: 'shop' | 'wire'): Promise<void> {
  await behavesLikeStorePort(name, { ...checkedMount(mount, kind), layer }, { describe, it, afterAll })
}

/** Defines a test for each check, against a mount with a kind of store. Each check starts with a fresh store. */
export async function checkMountOverStore(name: string, mount: MountKind, kind: StoreKind): Promise<void> {
  await behavesLikeStorePort(name, checkedMount(mount, kind), { describe, it, afterAll })
}

/** Starts one server for all checks. The server passes every request to the integration of the current check. */
function checkedMount(mount: MountKind, kind: StoreKind): Mount {
  let current: Integration | undefined
  let mounted: Mounted | undefined
  const pending = new Set<Promise<unknown>>()

  async function renew(): Promise<Integration> {
    // Waits for in-flight requests, which could otherwise change the data of the next check.
    await Promise.allSettled(pending)
    const store = await kind.reset()
    current = createIntegration({ store, apiKeys: [keys.first, keys.second] })
    return current
  }

  function track<Result>(result: Promise<Result>): Promise<Result> {
    const settled: Promise<boolean> = result.then(
      () => pending.delete(settled),
      () => pending.delete(settled),
    )
    pending.add(settled)
    return result
  }

  return {
    ...(mount.unsupported !== undefined && { unsupported: mount.unsupported }),
    ...(mount.skips !== undefined && { skips: mount.skips }),
    start: async () => {
      const first = await renew()
      const newest = () => current ?? first
      mounted = await mount.start({
        ...first,
        answer: (call, only) => track(newest().answer(call, only)),
        fetch: (request) => track(newest().fetch(request)),
      })
      return {
        apiKey: keys.first,
        secondApiKey: keys.second,
        ...(mounted.url !== undefined && { url: mounted.url }),
        ...(mounted.send !== undefined && { send: mounted.send }),
        reset: async () => {
          await renew()
          mounted?.reset?.()
        },
        stop: async () => mounted?.stop?.(),
      }
    },
  }
}
