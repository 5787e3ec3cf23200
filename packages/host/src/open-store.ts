import { chmod, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { CompleteStorePort } from '@storeport/core'
import { addDays, createClock, seed, type ShopActivity } from '@storeport/rules'
import { createMemoryStore, type MemoryStore, type MemoryStoreOptions } from '@storeport/store-memory'
import { openSqlStore, type SqlStore, StoreOpenError, type TrialShop } from '@storeport/store-sql'
import type { BillDue } from './billing.ts'
import { type Settings, SettingsError } from './settings/settings.ts'

/** The file of a SQLite database in the data folder. */
const databaseFile = 'store.db'

/** The host's store and the one behind test mode. */
export interface OpenStore {
  /** Serves every call. */
  readonly store: CompleteStorePort
  /** Serves the calls that ask for test mode: the seed, in memory. */
  readonly testStore: CompleteStorePort
  /** Makes the orders of some customers that are due; none: nobody can make them here. */
  readonly billDue?: BillDue | undefined
  /** Whether the data is the host's own seed, so that nobody else makes its orders; default false. */
  readonly isHostSeed?: boolean | undefined
  /** What customers did last, of each kind the latest 50. */
  readonly latestActivity?: (() => Promise<ShopActivity>) | undefined
  /** Returns the store's date `YYYY-MM-DD`; none: the clock's. */
  readonly today?: (() => Promise<string>) | undefined
  /** What can be done to the host's own seed where nobody else's data is with it. */
  readonly trial?: TrialShop | undefined
  /** Date of the latest order that earlier starts made, if there is one. */
  readonly latestOrderOn?: string | undefined
  /** Whether the store answers. */
  isReady(): Promise<boolean>
  /** Gives back what the store holds. */
  close(): Promise<void>
}

/** Opens the store of the settings, with the seed in it when it is new; throws SettingsError for one that cannot be used. */
export async function openStore(
  settings: Settings,
  publicUrl: () => string,
  onNotice: (notice: string) => void,
): Promise<OpenStore> {
  const { today, timeZone, currency } = settings
  const options = { today, timeZone, currency, publicUrl }
  if (settings.store === 'memory') {
    const { store, ...others } = openMemoryTrial(settings, options)
    return {
      ...others,
      store,
      testStore: createMemoryStore(options),
      billDue: store.billDue,
      latestActivity: async () => store.latestActivity(),
      isHostSeed: true,
      isReady: async () => true,
      close: async () => {},
    }
  }
  const store = await openDatabase(settings, { ...options, onNotice, seed: 'if-empty', trial: true })
  const known = await lookInto(store).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  return {
    store,
    testStore: createMemoryStore({ ...options, currency: store.currency }),
    billDue: store.billDue,
    latestActivity: () => store.latestActivity(),
    today: () => store.today(),
    trial: store.trial,
    ...known,
    isReady: () => store.isReady(),
    close: () => store.close(),
  }
}

async function lookInto(store: SqlStore): Promise<Pick<OpenStore, 'isHostSeed' | 'latestOrderOn'>> {
  const latest = await store.database.read((db) =>
    db.selectFrom('orders').select('placed_on').orderBy('number', 'desc').limit(1).executeTakeFirst(),
  )
  return { isHostSeed: await isHostSeed(store), latestOrderOn: latest?.placed_on }
}

/** Opens the database of the settings; throws SettingsError for one that cannot be used. */
export async function openDatabase(
  settings: Settings,
  options: Omit<Parameters<typeof openSqlStore>[0], 'url'> = {},
): ReturnType<typeof openSqlStore> {
  const url = databaseUrl(settings)
  if (settings.store === 'sqlite') await prepareFolder(settings.data)
  try {
    return await openSqlStore({ ...options, url })
  } catch (error) {
    if (error instanceof StoreOpenError) throw new SettingsError(`STOREPORT_STORE: ${error.message}`)
    throw error
  }
}

/** The address of the database of the settings; throws SettingsError. */
export function databaseUrl({ store, data }: Pick<Settings, 'store' | 'data'>): string {
  if (/^(?:postgres(?:ql)?:\/\/|sqlite:)/.test(store)) return store
  if (store === 'sqlite') return `sqlite:${join(data, databaseFile)}`
  throw new SettingsError('STOREPORT_STORE: must be sqlite, sqlite:<file>, memory or a postgres:// URL')
}

/** Makes the folder of a SQLite database and keeps others out of its files; throws SettingsError. */
async function prepareFolder(data: string): Promise<void> {
  await mkdir(data, { recursive: true, mode: 0o700 }).catch(() => {
    throw new SettingsError(`STOREPORT_DATA: ${data} cannot be made: choose another folder`)
  })
  const file = join(data, databaseFile)
  for (const name of [file, `${file}-wal`, `${file}-shm`]) await keepPrivate(name)
}

/** Takes the rights of everybody else away from what an older version has left; a file of another owner stays as it is. */
async function keepPrivate(file: string): Promise<void> {
  const known = await stat(file).catch(() => undefined)
  if (known !== undefined && (known.mode & 0o077) !== 0) await chmod(file, 0o600).catch(() => {})
}

/** Whether a database was filled with the seed of the host: it has a customer of the seed with the subscriptions that the seed gives. */
async function isHostSeed({ account }: Pick<SqlStore, 'account'>): Promise<boolean> {
  const seeded = seed('2026-01-01').customers.find(({ subscriptions = [] }) => subscriptions.length > 0)
  const found = seeded && (await account(seeded.email))
  const ids = new Set(found?.subscriptions.map(({ id }) => id))
  return seeded?.subscriptions?.every(({ id }) => ids.has(id)) ?? false
}

/** The seed in memory, whose date can be moved; both end with the process. */
function openMemoryTrial(
  settings: Pick<Settings, 'today' | 'timeZone'>,
  options: MemoryStoreOptions,
): { readonly store: MemoryStore; readonly today: () => Promise<string>; readonly trial: TrialShop } {
  const unmoved = createClock(settings)
  let ahead = 0
  const today = () => addDays(unmoved(), ahead)
  const now = settings.today === undefined ? () => Date.now() + ahead * dayMs : undefined
  const store = createMemoryStore({ ...options, today, now })
  return {
    store,
    today: async () => today(),
    trial: {
      moveDate: async (to) => {
        if (to <= today()) return 'not_later'
        ahead = Math.round((Date.parse(to) - Date.parse(unmoved())) / dayMs)
        // A click of a later day is a click of its own, however soon it comes by the clock.
        store.forgetClicks()
        return 'moved'
      },
      reset: async () => {
        ahead = 0
        store.reset()
        return true
      },
    },
  }
}

const dayMs = 86_400_000
