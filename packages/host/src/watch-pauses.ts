import { describeError, type EndpointName, endpointNames, endpointRow, type PauseMode } from '@storeport/core'
import type { PauseSwitches } from '@storeport/store-sql'
import type { Log } from '@storeport/node'
import type { ReadOwner } from './copied-database.ts'

/** The paused operations of a host. */
export interface Pauses {
  /** Returns how an operation is paused, for the option `isPaused` of `createIntegration`. */
  isPaused(operation: EndpointName): PauseMode | undefined
  /** Returns the names of all paused operations. */
  list(): readonly EndpointName[]
  /** Returns why all changes are paused, if the database may be a copy of another shop's database. */
  reason(): string | undefined
  /** Stops reading the switches. */
  stop(): void
}

/** Sources of the paused operations. */
export interface PauseSources {
  /** Switches of the operators; without switches, nothing is paused. */
  readonly switches: PauseSwitches | undefined
  /** Reads which public URL the database belongs to; without this function, nothing is compared. */
  readonly readOwner: ReadOwner | undefined
}

const intervalMs = 1000

/**
 * Reads the switches and the owner of the database now and every second, and logs each change. If a read fails, the
 * last known result applies. Until the owner is known, all changes are paused.
 */
export async function watchPauses({ switches, readOwner }: PauseSources, log: Pick<Log, 'warn'>): Promise<Pauses> {
  const unknownOwner = 'The public URL of the database could not be read.'
  let reason = readOwner && unknownOwner
  let paused = combine(new Map(), reason)
  let isReading = false
  let hasFailed = false
  let logged = JSON.stringify([])

  async function read(): Promise<void> {
    if (switches === undefined || isReading) return
    isReading = true
    try {
      const found = await switches.read()
      reason = await readOwner?.()
      paused = combine(found, reason)
      hasFailed = false
      const state = JSON.stringify([...paused, ...(reason === undefined ? [] : [reason])])
      if (state !== logged)
        log.warn(
          { paused: Object.fromEntries(paused), reason },
          paused.size > 0 ? 'operations are paused' : 'operations are resumed',
        )
      logged = state
    } catch (error) {
      if (!hasFailed) log.warn(describeError(error), 'could not read which operations are paused')
      hasFailed = true
    } finally {
      isReading = false
    }
  }

  await read()
  const timer = setInterval(() => void read(), intervalMs).unref()
  return {
    isPaused: (operation) => paused.get(operation),
    list: () => [...paused.keys()],
    reason: () => reason,
    stop: () => clearInterval(timer),
  }
}

/** Adds all changes to the paused operations if there is a reason. An operation that is hidden remains hidden. */
function combine(
  found: ReadonlyMap<EndpointName, PauseMode>,
  reason: string | undefined,
): ReadonlyMap<EndpointName, PauseMode> {
  if (reason === undefined) return found
  const changes = endpointNames.filter((name) => endpointRow(name).method === 'POST')
  return new Map([...changes.map((name) => [name, 'paused'] as const), ...found])
}
