import { describeError } from '@storeport/core'
import { SettingsError } from '@storeport/node'
import type { PublicUrl } from '@storeport/store-sql'
import { openDatabase } from './open-store.ts'
import { readArguments } from './settings/read-arguments.ts'
import { readSettings, type Settings } from './settings/settings.ts'

/*
 * A restored backup and a cloned database contain real customers. The database stores the public URL of its shop, so
 * that a host with another public URL changes nothing until an operator adopts the copy.
 */

/** Returns why the database belongs to another shop; `undefined` if it belongs to this host. */
export type ReadOwner = () => Promise<string | undefined>

/**
 * Creates the comparison of a host with the stored URL, and stores its URL if no URL is stored. Returns `undefined` if
 * STOREPORT_PUBLIC_URL is not set.
 */
export function createReadOwner(
  { publicUrl }: Pick<Settings, 'publicUrl'>,
  stored: PublicUrl | undefined,
): ReadOwner | undefined {
  if (publicUrl === undefined || stored === undefined) return undefined
  const own = normalize(publicUrl)
  return async () => describeOwner(await stored.claim(own), own)
}

function describeOwner(owner: string, own: string): string | undefined {
  if (owner === own) return undefined
  return `The database belongs to ${owner}, and STOREPORT_PUBLIC_URL is ${own}. If this is a copy for this host, run storeport adopt.`
}

/** Returns why the database belongs to another shop, if it does. Stores nothing, because a command is not a host. */
export async function findOtherOwner(
  { publicUrl }: Pick<Settings, 'publicUrl'>,
  stored: PublicUrl,
): Promise<string | undefined> {
  const owner = await stored.read()
  return publicUrl === undefined || owner === undefined ? undefined : describeOwner(owner, normalize(publicUrl))
}

/** Throws SettingsError if a command would change the database of another shop. */
export async function rejectCopy(command: string, settings: Settings, stored: PublicUrl): Promise<void> {
  const reason = await findOtherOwner(settings, stored)
  if (reason !== undefined) throw new SettingsError(`${command}: ${reason}`)
}

/**
 * `storeport adopt`: assigns the database to STOREPORT_PUBLIC_URL. Hosts with this URL accept changes within 2 s, and
 * hosts with another URL pause all changes. Throws SettingsError.
 */
export async function adoptCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { words, settings: flags } = readArguments('adopt', args, {})
  if (words.length > 0) throw new SettingsError('adopt: too many arguments. Run storeport adopt.')
  const settings = readSettings(flags, env)
  if (settings.store === 'memory') throw new SettingsError('adopt: STOREPORT_STORE must be a database, not memory')
  if (settings.publicUrl === undefined)
    throw new SettingsError('adopt: set STOREPORT_PUBLIC_URL to the URL of the host that uses the copy.')
  const own = normalize(settings.publicUrl)
  const store = await openDatabase(settings)
  try {
    const owner = await store.publicUrl.claim(own)
    await store.publicUrl.adopt(own)
    console.log(owner === own ? `The database belongs to ${own}` : `The database belonged to ${owner}. Now: ${own}`)
  } catch (error) {
    throw new SettingsError(`adopt: ${describeError(error).error}`)
  } finally {
    await store.close()
  }
}

/** Returns a URL in a form that can be compared: the host in lower case, without a default port and a trailing slash. */
function normalize(url: string): string {
  return new URL(url).href.replace(/\/+$/, '')
}
