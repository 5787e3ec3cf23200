import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createHistory, describeError, type History, type HistoryStorage } from '@storeport/core'
import type { Log } from '@storeport/node'
import { openSecret, readSecret } from '../settings/secrets.ts'
import type { Settings } from '../settings/settings.ts'
import { SettingsError } from '@storeport/node'

/** A history of the host, which is closed before its store. */
export interface HostHistory extends History {
  /** Stores the waiting records and stops the hourly deletion of old records. */
  close(): Promise<void>
}

type KeySettings = Pick<Settings, 'historyKeys' | 'data'>

/** File in the data folder with one key per line, the current key first. */
const keyFile = 'history-key'
const hourMs = 3_600_000
/** Number of records that are checked at the start. */
const checked = 100

/**
 * Opens the history of the store; returns `undefined` if the history is off, or if its key cannot be stored. Throws
 * SettingsError if STOREPORT_HISTORY=on and the key cannot be stored.
 */
export async function openHistory(
  settings: Settings,
  storage: HistoryStorage | undefined,
  log: Pick<Log, 'warn' | 'error'>,
): Promise<HostHistory | undefined> {
  if (settings.history === false || storage === undefined) return undefined
  let keys: readonly string[] = []
  try {
    if (storage.isLocal !== true) keys = await openHistoryKeys(settings)
  } catch (error) {
    if (!(error instanceof SettingsError) || settings.history === true) throw error
    log.warn(`history is off: ${error.message} Or set STOREPORT_HISTORY_KEY.`)
    return undefined
  }
  const history = createHistory(storage, {
    keys,
    retentionDays: settings.historyDays,
    onError: (error, counts) => log.error({ ...describeError(error), ...counts }, 'history could not be stored'),
  })
  const timer = setInterval(() => void history.sweep(), hourMs).unref()
  void warnOfForeignKey(history, log)
  return {
    ...history,
    close: async () => {
      clearInterval(timer)
      await history.flush()
    },
  }
}

/** Reads the keys of a host from the settings or from the data folder; creates a missing key. Throws SettingsError. */
async function openHistoryKeys({ historyKeys, data }: KeySettings): Promise<readonly string[]> {
  return historyKeys ?? readKeys(data, (await openSecret(data, keyFile, 32)).value)
}

/**
 * Reads the keys of a command from the settings or from the data folder. Throws SettingsError if the history contains
 * records and the key is missing, because a command in another folder must not create a key.
 */
export async function readHistoryKeys(
  command: string,
  { historyKeys, data }: KeySettings,
  storage: HistoryStorage,
): Promise<readonly string[]> {
  if (historyKeys !== undefined) return historyKeys
  const stored = await readSecret(data, keyFile)
  if (stored !== undefined) return readKeys(data, stored)
  if ((await storage.countByKey()).size === 0) return [randomUUID()]
  throw new SettingsError(
    `${command}: ${join(data, keyFile)} does not exist. Run the command in the folder of the host, or set STOREPORT_HISTORY_KEY. If the key is lost, set a new key.`,
  )
}

function readKeys(data: string, text: string): readonly string[] {
  const keys = text.split(/[\s,]+/)
  if (keys.every((key) => key.length >= 32)) return keys
  throw new SettingsError(
    `STOREPORT_DATA: each line of ${join(data, keyFile)} must be a key of at least 32 characters.`,
  )
}

/** Logs a warning if hosts that share the database use different keys. */
async function warnOfForeignKey(history: History, log: Pick<Log, 'warn'>): Promise<void> {
  const { unreadable } = await history.read({ limit: checked }).catch(() => ({ unreadable: 0 }))
  if (unreadable === 0) return
  log.warn(
    { unreadable },
    'the history contains records of another key: set the same STOREPORT_HISTORY_KEY on all hosts, and add earlier keys after it',
  )
}
