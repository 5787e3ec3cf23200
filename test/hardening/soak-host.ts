import { readSettings, startHost } from '@storeport/host'
import { createMemoryStore } from '@storeport/store-memory'
import { data, key, today } from './shops/shop.ts'

/* Runs the reference host with a memory store in a child process, and sends the host's URL to the parent. */

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
