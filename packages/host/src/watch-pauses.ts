import { describeError, type EndpointName, type PauseMode } from '@storeport/core'
import type { PauseSwitches } from '@storeport/store-sql'
import type { Log } from '@storeport/node'

/** The paused operations of a host. */
export interface Pauses {
  /** Returns how an operation is paused, for the option `isPaused` of `createIntegration`. */
  isPaused(operation: EndpointName): PauseMode | undefined
  /** Returns the names of all paused operations. */
  list(): readonly EndpointName[]
  /** Stops reading the switches. */
  stop(): void
}

const intervalMs = 1000

/**
 * Reads the switches now and every second, and logs each change. If a read fails, the last known switches apply.
 * Without switches, nothing is paused.
 */
export async function watchPauses(switches: PauseSwitches | undefined, log: Pick<Log, 'warn'>): Promise<Pauses> {
  let paused: ReadonlyMap<EndpointName, PauseMode> = new Map()
  let isReading = false
  let hasFailed = false

  async function read(): Promise<void> {
    if (switches === undefined || isReading) return
    isReading = true
    try {
      const found = await switches.read()
      const isChanged = JSON.stringify([...found]) !== JSON.stringify([...paused])
      paused = found
      hasFailed = false
      if (isChanged)
        log.warn(
          { paused: Object.fromEntries(found) },
          found.size > 0 ? 'operations are paused' : 'operations are resumed',
        )
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
    stop: () => clearInterval(timer),
  }
}
