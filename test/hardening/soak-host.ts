import { readSettings, startHost } from '@storeport/host'
import { createMemoryStore } from '@storeport/store-memory'
import { data, key, today } from './shops/shop.ts'

/*
 * A process of its own (`node --expose-gc`) that runs the reference host over a shop in memory: it sends where it
 * listens and, for every message, what it holds after everything that can go has gone.
 */

/** What a process holds. */
export interface Held {
  /** Bytes of JavaScript objects and of buffers. */
  readonly bytes: number
  /** Timers, sockets and the like. */
  readonly resources: number
}

const settings = readSettings([], {
  PORT: '0',
  STOREPORT_API_KEYS: key,
  STOREPORT_STORE: 'memory',
  STOREPORT_PLAYGROUND: 'off',
  STOREPORT_METRICS: '127.0.0.1:0',
})
const host = await startHost(settings, {
  open: async () => ({
    store: createMemoryStore({ data, today }),
    testStore: createMemoryStore({ data, today }),
    isReady: async () => true,
    close: async () => {},
  }),
})

process.on('message', () => void report())
process.on('disconnect', () => process.exit())
process.send?.(host.url)

async function report(): Promise<void> {
  // Finalizers of the first collection leave garbage to the next.
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc?.()
    await new Promise(setImmediate)
  }
  const { heapUsed, external } = process.memoryUsage()
  const held: Held = { bytes: heapUsed + external, resources: process.getActiveResourcesInfo().length }
  process.send?.(held)
}
