import { onTestFinished } from 'vitest'
import type { CompleteStorePort } from '@storeport/core'
import { createMemoryStore, type MemoryStoreOptions } from '@storeport/store-memory'
import type { OpenStore } from '../src/open-store.ts'
import { readSettings } from '../src/settings/settings.ts'
import { type HostParts, startHost } from '../src/start-host.ts'

export const key = 'a-key-of-the-tests-0001'

/** Parts of the host that a test replaces. */
interface Replaced
  extends Omit<HostParts, 'open'>, Partial<Pick<OpenStore, 'billDue' | 'isHostSeed' | 'latestOrderOn'>> {
  /** Options of the seeded store. */
  readonly seeded?: MemoryStoreOptions
  /** Methods that replace methods of the seeded store. */
  readonly store?: Partial<CompleteStorePort>
  readonly isReady?: () => Promise<boolean>
  readonly closeStore?: () => Promise<void>
}

/** Starts a host in this process, on a free port, with seed data in memory and no log. Closes it after the test. */
export async function openHost(env: Record<string, string> = {}, replaced: Replaced = {}) {
  const { store, seeded: storeOptions, isReady = async () => true, closeStore = async () => {}, ...parts } = replaced
  const seeded = createMemoryStore(storeOptions)
  const { billDue = seeded.billDue, isHostSeed = true, latestOrderOn } = replaced
  const settings = readSettings([], {
    PORT: '0',
    STOREPORT_API_KEYS: key,
    STOREPORT_LOG: 'silent',
    // An enabled playground would store its token in the working directory.
    STOREPORT_PLAYGROUND: 'off',
    ...env,
  })
  const host = await startHost(settings, {
    open: async () => ({
      store: { ...seeded, ...store },
      testStore: createMemoryStore(),
      billDue,
      latestActivity: async () => seeded.latestActivity(),
      account: async (email) => seeded.account(email),
      reset: async () => {
        seeded.reset()
        return true
      },
      isHostSeed,
      latestOrderOn,
      isReady,
      close: closeStore,
    }),
    closeTimeoutMs: 20,
    storeCloseTimeoutMs: 20,
    ...parts,
  })
  onTestFinished(() => host.close())
  return { ...host, seeded }
}
