import { setTimeout as pause } from 'node:timers/promises'
import type { ProxiedConnection } from '@storeport/testing/delay-proxy'
import type { PostgresDatabases } from '@storeport/testing/postgres-at'
import { chooseOne } from './create-random.ts'
import type { ClickShop } from './open-shop.ts'
import type { ClickHost } from './start-click-host.ts'

/** Faults that happen at random, until they are stopped. */
export interface InjectedFaults {
  /** The hosts that run at the moment. */
  hosts(): readonly ClickHost[]
  /** Waits for the fault under way and for what it broke; returns how many there were of each kind. */
  stop(): Promise<Readonly<Record<string, number>>>
}

interface Surroundings {
  readonly shop: ClickShop
  readonly server: PostgresDatabases | undefined
  readonly random: () => number
  /** Starts a host. */
  startHost(): Promise<ClickHost>
}

/** Longer than the hosts wait for a statement, now and then. */
const longestFreezeMs = 3000

/** Starts two hosts and lets faults happen to them, and to their connections in the middle of a click. */
export async function injectFaults({ shop, server, random, startHost }: Surroundings): Promise<InjectedFaults> {
  const hosts = await Promise.all([startHost(), startHost()])
  const counts: Record<string, number> = {}
  const thawing = new Set<Promise<void>>()
  const stopping = new AbortController()

  const thawLater = (thaw: () => void) => {
    const thawed = pause(50 + random() * longestFreezeMs).then(thaw)
    thawing.add(thawed)
    void thawed.then(() => thawing.delete(thawed))
  }
  const restart = async () => {
    const index = Math.floor(random() * hosts.length)
    const host = hosts[index]
    if (shop.proxy === undefined) {
      // Before the next statements, if there are any: the last click may be over.
      void host?.killAfter(1 + Math.floor(random() * 40))
      await Promise.race([host?.gone, pause(longestFreezeMs)])
    }
    await host?.kill()
    hosts[index] = await startHost()
  }
  /** What may happen to a connection that is frozen in the middle of a click. */
  const breaks: Readonly<Record<string, (connection: ProxiedConnection) => unknown>> = {
    'lost connections': (connection) => connection.cut(),
    'frozen connections': (connection) => thawLater(connection.thaw),
    'frozen backends': (connection) => {
      // A backend that has ended meanwhile needs no fault.
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

  async function breakOne(): Promise<void> {
    if (shop.proxy === undefined || random() < 0.2) {
      counts['killed hosts'] = (counts['killed hosts'] ?? 0) + 1
      return restart()
    }
    const trap = shop.proxy.catchStatement(1 + Math.floor(random() * 30), random() < 0.5 ? 'before' : 'after')
    const connection = await Promise.race([trap.caught, pause(1000, undefined)])
    trap.disarm()
    if (connection === undefined || connection.pid === 0) return connection?.cut()
    const name = chooseOne(random, Object.keys(breaks))
    counts[name] = (counts[name] ?? 0) + 1
    await breaks[name]?.(connection)
  }

  const breaking = (async () => {
    while (!stopping.signal.aborted) {
      await breakOne()
      await pause(20 + random() * 150)
    }
  })()

  return {
    hosts: () => hosts,
    stop: async () => {
      stopping.abort()
      await breaking
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
