import { backUpSqlite, StoreOpenError } from '@storeport/store-sql'
import { databaseUrl } from '../open-store.ts'
import { readSettings } from '../settings/settings.ts'
import { SettingsError } from '../settings/settings-error.ts'

/** `storeport backup FILE`: writes a copy of its database, as of one moment, while the host goes on; throws SettingsError. */
export async function backupCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const [file, ...flags] = args
  if (file === undefined || file.startsWith('-')) throw new SettingsError('backup: name the file to write')
  const settings = readSettings(flags, env)
  if (settings.store === 'memory') throw new SettingsError('backup: what is in memory ends with its process')
  try {
    const bytes = await backUpSqlite(databaseUrl(settings), file)
    console.log(`${file} holds the database, ${(bytes / 1_048_576).toFixed(1)} MB`)
  } catch (error) {
    if (error instanceof StoreOpenError) throw new SettingsError(`backup: ${error.message}`)
    throw error
  }
}
