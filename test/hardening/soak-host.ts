import { readSettings, startHost } from '@storeport/host'
import { createMemoryStore } from '@storeport/store-memory'
import { data, key, today } from './shops/shop.ts'

/*
 * A process of its own that runs the reference host over a shop in memory, and sends where it listens.
 */

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

process.send?.(host.url)
