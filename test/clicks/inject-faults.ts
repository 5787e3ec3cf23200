import { setTimeout as pause } from 'node:timers/promises'
import type { ProxiedConnection } from '@storeport/testing/delay-proxy'
import type { PostgresDatabases } from '@storeport/testing/postgres-at'
import { chooseOne } from './create-random.ts'
import type { ClickShop } from './open-shop.ts'
import type { ClickHost } from './start-click-host.ts'

/** Injects random faults until `stop` is called. */
export interface InjectedFaults {
  hosts(): readonly ClickHost[]
  /** Waits for the current fault and its repair. Returns the number of faults of each kind. */
  stop(): Promise<Readonly<Record<string, number>>>
}

interface FaultOptions {
  readonly shop: ClickShop
  readonly server: PostgresDatabases | undefined
  readonly random: () => number
  startHost(): Promise<ClickHost>
}

/** Maximum duration of a freeze in milliseconds, longer than the statement timeout of the hosts. */
const maxFreezeMs = 3000

/** Starts two hosts and injects faults into them and into their connections during clicks. */
export async function injectFaults({ shop, server, random, startHost }: FaultOptions): Promise<InjectedFaults> {
  const hosts = await Promise.all([startHost(), startHost()])
  const counts: Record<string, number> = {}
  const thawing = new Set<Promise<void>>()
  const stopping = new AbortController()

  const thawLater = (thaw: () => void) => {
    const thawed = pause(50 + random() * maxFreezeMs).then(thaw)
    thawing.add(thawed)
    void thawed.then(() => thawing.delete(thawed))
  }
  const restart = async () => {
    const index = Math.floor(random() * hosts.length)
    const host = hosts[index]
    if (shop.proxy === undefined) {
      // Limits the wait for the host to exit, because no statement follows the last click.
      void host?.killAfter(1 + Math.floor(random() * 40))
      await Promise.race([host?.exited, pause(maxFreezeMs)])
    }
    await host?.kill()
    hosts[index] = await startHost()
  }
  /** Faults for a connection that is frozen during a click. */
  const faults: Readonly<Record<string, (connection: ProxiedConnection) => unknown>> = {
    'lost connections': (connection) => connection.cut(),
    'frozen connections': (connection) => thawLater(connection.thaw),
    'frozen backends': (connection) => {
      // If the signal fails, the backend has already exited.
      if (!signal(connection.pid, 'SIGSTOP')) return connection.thaw()
      connection.thaw()
      return thawLater(() => signal(connection.pid, 'SIGCONT'))
    },
    pg_terminate_backend: async (connection) => {
      await server?.query(`select pg_terminate_backend(${connection.pid})`)
      connection.thaw()
    },
    pg_cancel_backend: async (connection) => {
      connection.thaw()
      await server?.query(`select pg_cancel_backend(${connection.pid})`)
    },
  }

  async function injectOne(): Promise<void> {
    if (shop.proxy === undefined || random() < 0.2) {
      counts['killed hosts'] = (counts['killed hosts'] ?? 0) + 1
      return restart()
    }
    const trap = shop.proxy.catchStatement(1 + Math.floor(random() * 30), random() < 0.5 ? 'before' : 'after')
    const connection = await Promise.race([trap.caught, pause(1000, undefined)])
    trap.disarm()
    if (connection === undefined || connection.pid === 0) return connection?.cut()
    const name = chooseOne(random, Object.keys(faults))
    counts[name] = (counts[name] ?? 0) + 1
    await faults[name]?.(connection)
  }

  const injecting = (async () => {
    while (!stopping.signal.aborted) {
      await injectOne()
      await pause(20 + random() * 150)
    }
  })()

  return {
    hosts: () => hosts,
    stop: async () => {
      stopping.abort()
      await injecting
      await Promise.all(thawing)
      return counts
    },
  }
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
