import { key } from '@storeport/testing/send'
import { dataFolder } from '@storeport/testing/start-host-process'
import { onTestFinished } from 'vitest'
import { type OpenStore, openMemoryStore } from '../src/open-store.ts'
import { readSettings } from '../src/settings/settings.ts'
import { startHost } from '../src/start-host.ts'

/** Parts of the seeded store that a test replaces. */
type Replaced = Partial<Omit<OpenStore, 'store'>> & { readonly store?: Partial<OpenStore['store']> }

/** Starts a host in this process, on a free port, with seed data in memory and no log. Closes it after the test. */
export async function openHost(env: Record<string, string> = {}, replaced: Replaced = {}) {
  const settings = readSettings([], {
    PORT: '0',
    STOREPORT_API_KEYS: key,
    STOREPORT_LOG: 'silent',
    // An enabled playground would store its token in the working directory.
    STOREPORT_PLAYGROUND: 'off',
    ...env,
  })
  const opened = openMemoryStore({ today: settings.today })
  const seeded = opened.store
  const host = await startHost(settings, {
    open: async () => ({ ...opened, ...replaced, store: { ...seeded, ...replaced.store } }),
    closeTimeoutMs: 20,
    storeCloseTimeoutMs: 20,
    readyTimeoutMs: 20,
  })
  onTestFinished(() => host.close())
  return { ...host, seeded }
}

/** Starts a host in this process with the store of its settings, and with a new data folder. Closes it after the test. */
export async function openHostWithStore(env: Readonly<Record<string, string | undefined>> = {}) {
  const data = await dataFolder()
  const variables = { PORT: '0', STOREPORT_DATA: data, STOREPORT_API_KEYS: key, STOREPORT_LOG: 'silent', ...env }
  const host = await startHost(readSettings([], variables))
  onTestFinished(() => host.close())
  return { ...host, data, variables }
}
