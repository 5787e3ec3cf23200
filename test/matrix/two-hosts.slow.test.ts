import { type Send, sendByHttp } from '@storeport/conformance'
import { behavesLikeStorePort } from '@storeport/conformance/vitest'
import { afterAll, describe, it } from 'vitest'
import { dataFolder, startHostProcess } from '@storeport/testing/start-host-process'
import { sharedPostgres } from '@storeport/testing/shared-postgres'
import { keys } from '@storeport/testing/keys'

const server = await sharedPostgres()

/** Two processes of the reference host that start at the same moment on one new database. */
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
  'two hosts in turn on one PostgreSQL database',
  {
    start: async () => {
      const hosts = await startTwoHosts()
      const ways = hosts.map(({ url }) => sendByHttp(url))
      let calls = 0
      const send: Send = (request) => {
        const next = ways[calls++ % ways.length]
        if (next === undefined) throw new Error('no host has started')
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
