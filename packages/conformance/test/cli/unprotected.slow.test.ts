import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { dataFolder, startHostProcess } from '@storeport/testing/start-host-process'
import { expect, it, onTestFinished } from 'vitest'
import { apiKey, command } from './command.ts'

/** Number of runs for each number of processes. For the complete test, set STOREPORT_UNPROTECTED_RUNS=20. */
const runs = Number(process.env['STOREPORT_UNPROTECTED_RUNS'] ?? 1)

/** Starts a proxy that forwards each new connection to the next server in turn. Returns the URL of the proxy. */
async function startProxy(urls: readonly string[]): Promise<string> {
  let connections = 0
  const server = createServer((client) => {
    const { port } = new URL(urls[connections++ % urls.length] ?? '')
    const upstream = connect(Number(port), '127.0.0.1')
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // oxlint-disable-next-line typescript/consistent-type-assertions -- a server that listens on TCP has a port
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it.each([1, 2])(
  `prints CONFORMS, NOT READY for a shop without the retry guard in each of ${runs} runs (processes: %s)`,
  { timeout: runs * 540_000 },
  async (processes) => {
    for (let run = 1; run <= runs; run++) {
      const env = {
        STOREPORT_API_KEYS: apiKey,
        STOREPORT_DATA: await dataFolder(),
        STOREPORT_LOG: 'silent',
        STOREPORT_RETRIES: 'off',
      }
      const hosts = []
      for (let started = 0; started < processes; started++) hosts.push(await startHostProcess(env))
      // Without the guard, processes share no state but the database, so exploring one process is enough in one run.
      const words = processes === 1 || runs > 1 ? [] : ['--no-explore']
      const { code, out } = await command([await startProxy(hosts.map(({ url }) => url)), ...words])
      for (const { child } of hosts) child.kill('SIGKILL')
      await Promise.all(hosts.map(({ exited }) => exited))
      expect(out, `run ${run}`).toMatch(/^ {2}CONFORMS, NOT READY /m)
      expect(out).toMatch(/^ {2}! A click takes effect twice\. \(RETRY-/m)
      expect(code).toBe(4)
    }
  },
)
