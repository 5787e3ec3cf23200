import { createIntegration, type Integration } from '@storeport/core'
import { behavesLikeStorePort, type Mount } from '@storeport/conformance/vitest'
import { afterAll, describe, it } from 'vitest'
import type { MountKind, Mounted } from './mount-kind.ts'
import { keys } from './keys.ts'
import { memoryKind, type StoreKind } from './stores.ts'

/** Runs the checks of the wire layer on a mount over the memory store. */
export function checkWireLayer(name: string, mount: MountKind): Promise<void> {
  return checkLayer(`${name} on the wire`, mount, 'wire')
}

/** Runs the checks of the shop layer on a mount over the memory store: with `checkWireLayer`, every check. */
export function checkShopLayer(name: string, mount: MountKind): Promise<void> {
  return checkLayer(`${name} in the shop`, mount, 'shop')
}

async function checkLayer(name: string, mount: MountKind, layer: 'shop' | 'wire'): Promise<void> {
  await behavesLikeStorePort(name, { ...checkedMount(mount, memoryKind), layer }, { describe, it, afterAll })
}

/** Runs every check on a mount over a kind of store, which is unused at the start of each check. */
export async function checkMountOverStore(name: string, mount: MountKind, kind: StoreKind): Promise<void> {
  await behavesLikeStorePort(name, checkedMount(mount, kind), { describe, it, afterAll })
}

/** A server that stays, and hands every call to the newest integration. */
function checkedMount(mount: MountKind, kind: StoreKind): Mount {
  let current: Integration | undefined
  let mounted: Mounted | undefined
  const underWay = new Set<Promise<unknown>>()

  async function renew(): Promise<Integration> {
    // Nobody may change the next check's rows any more.
    await Promise.allSettled(underWay)
    const store = await kind.unused()
    current = createIntegration({ store, apiKeys: [keys.first, keys.second] })
    return current
  }

  function awaited<Result>(result: Promise<Result>): Promise<Result> {
    const ended: Promise<boolean> = result.then(
      () => underWay.delete(ended),
      () => underWay.delete(ended),
    )
    underWay.add(ended)
    return result
  }

  return {
    ...(mount.cannot !== undefined && { cannot: mount.cannot }),
    ...(mount.skips !== undefined && { skips: mount.skips }),
    start: async () => {
      const first = await renew()
      const newest = () => current ?? first
      mounted = await mount.start({
        ...first,
        answer: (call, only) => awaited(newest().answer(call, only)),
        fetch: (request) => awaited(newest().fetch(request)),
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
