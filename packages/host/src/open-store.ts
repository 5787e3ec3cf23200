import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type CompleteStorePort, type Ledger, memoryLedger } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import { openSqlStore, StoreOpenError } from '@storeport/store-sql'
import type { Settings } from './settings/settings.ts'
import { SettingsError } from './settings/settings-error.ts'

/** The host's store and the one behind test mode. */
export interface OpenStore {
  /** Serves every call. */
  readonly store: CompleteStorePort
  /** Serves the calls that ask for test mode: the seed, in memory. */
  readonly testStore: CompleteStorePort
  /** Remembers clicks where the store's data is. */
  readonly ledger: Ledger
  /** Whether the store answers. */
  isReady(): Promise<boolean>
  /** Gives back what the store holds. */
  close(): Promise<void>
}

/** Opens the store of the settings, with the seed in it when it is new; throws SettingsError for one that cannot be used. */
export async function openStore(settings: Settings, publicUrl: () => string): Promise<OpenStore> {
  const { today, timeZone } = settings
  const inMemory = () => createMemoryStore({ today, timeZone, publicUrl })
  const testStore = inMemory()
  if (settings.store === 'memory') {
    return { store: inMemory(), testStore, ledger: memoryLedger(), isReady: async () => true, close: async () => {} }
  }
  const store = await openDatabase(settings, { today, timeZone, publicUrl, seed: 'if-empty' })
  return { store, testStore, ledger: store.ledger(), isReady: () => store.isReady(), close: () => store.close() }
}

/** Opens the database of the settings; throws SettingsError for one that cannot be used. */
export async function openDatabase(
  { store, data }: Settings,
  options: Omit<Parameters<typeof openSqlStore>[0], 'url'> = {},
): ReturnType<typeof openSqlStore> {
  try {
    return await openSqlStore({ ...options, url: await databaseUrl(store, data) })
  } catch (error) {
    if (error instanceof StoreOpenError) throw new SettingsError(`STOREPORT_STORE: ${error.message}`)
    throw error
  }
}

async function databaseUrl(store: string, data: string): Promise<string> {
  if (/^postgres(?:ql)?:\/\//.test(store)) return store
  if (store !== 'sqlite') throw new SettingsError('STOREPORT_STORE: must be sqlite, memory or a postgres:// URL')
  await mkdir(data, { recursive: true, mode: 0o700 }).catch(() => {
    throw new SettingsError(`STOREPORT_DATA: ${data} cannot be made: choose another folder`)
  })
  return `sqlite:${join(data, 'store.db')}`
}
