import { type Send, sendByHttp } from '@storeport/conformance'
import { behavesLikeStorePort } from '@storeport/conformance/vitest'
import { afterAll, describe, it } from 'vitest'
import { dataFolder, startHostProcess } from '@storeport/testing/start-host-process'
import { sharedPostgres } from '@storeport/testing/shared-postgres'
import { keys } from '@storeport/testing/keys'

const server = await sharedPostgres()

/** Starts two processes of the reference host concurrently with one new database. */
async function startTwoHosts() {
  const env = {
    STOREPORT_API_KEYS: `${keys.first},${keys.second}`,
    STOREPORT_DATA: await dataFolder(),
    STOREPORT_LOG: 'silent',
    STOREPORT_PUBLIC_URL: 'http://localhost:3000',
    STOREPORT_STORE: await server.createDatabase(),
  }
  return Promise.all([startHostProcess(env), startHostProcess(env)])
}

await behavesLikeStorePort(
  'two alternating hosts on one PostgreSQL database',
  {
    // Two processes differ from one only in the store. `quiet-kit.slow.test.ts` runs every check on one host.
    layer: 'shop',
    start: async () => {
      const hosts = await startTwoHosts()
      const senders = hosts.map(({ url }) => sendByHttp(url))
      let requests = 0
      const send: Send = (request) => {
        const next = senders[requests++ % senders.length]
        if (next === undefined) throw new Error('No host has started.')
        return next(request)
      }
      return {
        apiKey: keys.first,
        secondApiKey: keys.second,
        send,
        stop: async () => {
          for (const { child } of hosts) child.kill('SIGTERM')
          await Promise.all(hosts.map(({ exited }) => exited))
        },
      }
    },
  },
  { describe, it, afterAll },
)
