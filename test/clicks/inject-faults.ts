import { setTimeout as pause } from 'node:timers/promises'
import type { PostgresDatabases } from '@storeport/testing/postgres-at'
import { faultsOf } from './break-points.ts'
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
  const hanging: Promise<void>[] = []
  const stopping = new AbortController()

  const restart = async () => {
    const index = Math.floor(random() * hosts.length)
    const host = hosts[index]
    if (shop.proxy === undefined) {
      // Limits the wait, because the host does not exit if too few statements follow.
      void host?.killAfter(1 + Math.floor(random() * 40))
      await Promise.race([host?.exited, pause(maxFreezeMs)])
    }
    await host?.kill()
    hosts[index] = await startHost()
  }
  async function injectOne(): Promise<void> {
    if (shop.proxy === undefined || server === undefined || random() < 0.2) {
      counts['killed hosts'] = (counts['killed hosts'] ?? 0) + 1
      return restart()
    }
    const trap = shop.proxy.catchStatement(1 + Math.floor(random() * 30), random() < 0.5 ? 'before' : 'after')
    const connection = await Promise.race([trap.caught, pause(1000, undefined)])
    trap.disarm()
    if (connection === undefined || connection.pid === 0) return connection?.cut()
    const fault = chooseOne(random, faultsOf(server))
    counts[fault.name] = (counts[fault.name] ?? 0) + 1
    const injected = fault.inject(connection, pause(50 + random() * maxFreezeMs))
    if (fault.hangs) hanging.push(injected)
    else await injected
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
      await Promise.all(hanging)
      return counts
    },
  }
}
