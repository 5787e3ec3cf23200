import { chmod, lstat, mkdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { ClickRecords, CompleteStorePort } from '@storeport/core'
import type { readShopState } from '@storeport/playground'
import { seed } from '@storeport/rules'
import { createMemoryStore, type MemoryStoreOptions } from '@storeport/store-memory'
import { openSqlStore, type SqlStore, StoreOpenError } from '@storeport/store-sql'
import { SettingsError } from '@storeport/node'
import { notAFolder, readCode } from './settings/secrets.ts'
import type { Settings } from './settings/settings.ts'

/** SQLite file in the data folder. */
const databaseFile = 'store.db'

/** Store of the host: its operations, its records of clicks, its billing, and the data that the playground shows. */
type HostStore = CompleteStorePort & ClickRecords & Pick<SqlStore, 'billDue'> & Parameters<typeof readShopState>[0]

/** Store of the host and its test store. */
export interface OpenStore {
  /** Handles requests outside test mode. */
  readonly store: HostStore
  /** Handles requests in test mode, with seed data in memory. */
  readonly testStore: CompleteStorePort
  /** Whether the host seeded the data, which means that no other system bills the customers. */
  readonly isHostSeed: boolean
  /** Restores the seed; returns false if the database contains data besides the seed. */
  readonly reset: () => Promise<boolean>
  /** Date of the latest order from earlier runs, if any. */
  readonly latestOrderOn?: string | undefined
  /** Returns whether the store is available. */
  isReady(): Promise<boolean>
  /** Releases the resources of the store. */
  close(): Promise<void>
}

/** Opens the store from the settings and seeds a new database; throws SettingsError if the store cannot be opened. */
export async function openStore(
  settings: Settings,
  publicUrl: () => string,
  onNotice: (notice: string) => void,
): Promise<OpenStore> {
  const { today, timeZone, currency } = settings
  const options = { today, timeZone, currency, publicUrl }
  if (settings.store === 'memory') return openMemoryStore(options)
  const store = await openDatabase(settings, { publicUrl, onNotice, seed: 'if-empty' })
  const state = await closeIfFailed(store, () => readHostState(store))
  const { resetSeed: reset, isReady, close } = store
  const testStore = createMemoryStore({ ...options, currency: store.currency })
  return { store, testStore, ...state, reset, isReady, close }
}

/** Opens a store with seed data in memory. */
export function openMemoryStore(options: MemoryStoreOptions = {}) {
  const store = createMemoryStore(options)
  const reset = async () => {
    store.reset()
    return true
  }
  const testStore = createMemoryStore(options)
  return {
    store,
    testStore,
    isHostSeed: true,
    reset,
    isReady: async () => true,
    close: async () => {},
  } satisfies OpenStore
}

async function readHostState(store: SqlStore): Promise<Pick<OpenStore, 'isHostSeed' | 'latestOrderOn'>> {
  const latest = await store.database.read((db) =>
    db.selectFrom('orders').select('placed_on').orderBy('number', 'desc').limit(1).executeTakeFirst(),
  )
  return { isHostSeed: await isHostSeed(store), latestOrderOn: latest?.placed_on }
}

/**
 * Opens the database with the date and currency from the settings. Without `seed`, creates no tables, so that a command in
 * another folder fails. Throws SettingsError if the database cannot be opened, or was last used under another public URL.
 */
export async function openDatabase(
  settings: Settings,
  options: Omit<Parameters<typeof openSqlStore>[0], 'url'> = {},
): ReturnType<typeof openSqlStore> {
  const url = databaseUrl(settings)
  const { today, timeZone, currency } = settings
  const mayCreate = options.seed !== undefined
  if (!mayCreate) await requireFile(url)
  if (settings.store === 'sqlite') await prepareFolder(settings.data)
  const all = { today, timeZone, currency, migrate: mayCreate, ...options, url }
  const store = await openSqlStore(all).catch((error: unknown) => {
    if (error instanceof StoreOpenError) throw new SettingsError(`STOREPORT_STORE: ${error.message}`)
    throw error
  })
  return closeIfFailed(store, () => rejectCopy(settings, store).then(() => store))
}

/** Returns the result of a function; closes the store if the function fails. */
async function closeIfFailed<Result>(store: SqlStore, use: () => Promise<Result>): Promise<Result> {
  try {
    return await use()
  } catch (error) {
    await store.close()
    throw error
  }
}

/**
 * Stores the public URL of the host. Throws SettingsError if another URL is stored, because a restored backup and a
 * cloned database contain real customers, whom a second host must not bill.
 */
async function rejectCopy({ publicUrl, previousUrl }: Settings, store: SqlStore): Promise<void> {
  if (publicUrl === undefined) return
  const own = normalize(publicUrl)
  const stored = await store.claimUrl(own, previousUrl && normalize(previousUrl))
  if (stored === own) return
  throw new SettingsError(
    `STOREPORT_PUBLIC_URL: the database was last used under ${stored}, not ${own}. If no other host uses this database, set STOREPORT_PREVIOUS_URL to ${stored}.`,
  )
}

/** Returns a URL in a form that can be compared: the host in lower case, without a default port and a trailing slash. */
function normalize(url: string): string {
  return new URL(url).href.replace(/\/+$/, '')
}

/** Returns the database URL from the settings; throws SettingsError if `store` is invalid. */
export function databaseUrl({ store, data }: Pick<Settings, 'store' | 'data'>): string {
  if (/^(?:postgres(?:ql)?:\/\/|sqlite:)/.test(store)) return store
  if (store === 'sqlite') return `sqlite:${join(data, databaseFile)}`
  throw new SettingsError('STOREPORT_STORE: must be sqlite, sqlite:<file>, memory or a postgres:// URL')
}

async function requireFile(url: string): Promise<void> {
  const [, path] = /^sqlite:(.*)$/.exec(url) ?? []
  const code = path && (await stat(path).then(() => undefined, readCode))
  if (path === undefined || code === undefined) return
  if (code === 'ENOTDIR') throw new SettingsError(notAFolder(dirname(resolve(path))))
  throw new SettingsError(
    `SQLite file not found: ${resolve(path)}. Run the command in the folder of the host, or set STOREPORT_DATA or STOREPORT_STORE.`,
  )
}

/** Creates the data folder and restricts access to its SQLite files to the owner; throws SettingsError. */
async function prepareFolder(data: string): Promise<void> {
  await mkdir(data, { recursive: true, mode: 0o700 }).catch(() => {
    throw new SettingsError(`STOREPORT_DATA: ${data} cannot be created. Choose another folder.`)
  })
  const file = join(data, databaseFile)
  // Removes other users' permissions from files of an older version; ignores links and files of another owner.
  for (const name of [file, `${file}-wal`, `${file}-shm`]) {
    const state = await lstat(name).catch(() => undefined)
    if (state?.isFile() && (state.mode & 0o077) !== 0) await chmod(name, 0o600).catch(() => {})
  }
}

/** Returns whether a seed customer has the seed's subscriptions, which shows that the host seeded the database. */
async function isHostSeed({ account }: Pick<SqlStore, 'account'>): Promise<boolean> {
  for (const { email, subscriptions = [] } of seed('2026-01-01').customers) {
    const ids = (await account(email))?.subscriptions.map(({ id }) => id) ?? []
    if (subscriptions.length > 0 && subscriptions.every(({ id }) => ids.includes(id))) return true
  }
  return false
}
