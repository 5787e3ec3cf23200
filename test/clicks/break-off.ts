import type { ProxiedConnection } from '@storeport/testing/delay-proxy'
import type { PostgresDatabases } from '@storeport/testing/postgres-at'
import type { ClickShop } from './open-shop.ts'
import { products } from './shop.ts'
import type { ClickHost } from './start-click-host.ts'

/** Where a click is broken off. */
export interface BreakPoint {
  /** Which of its statements. */
  readonly n: number
  /** Before the database gets it, or after it has done it and before the host hears of it. */
  readonly when: 'before' | 'after'
}

/** What can happen to the connection of a click. */
export interface Fault {
  readonly name: string
  /** When it makes a difference. */
  readonly moments: readonly BreakPoint['when'][]
  /** Whether the host hears of it by a time-out only. */
  readonly hangs: boolean
  /** Does it to a connection that the proxy has frozen; `sent` is the call that came over it. */
  breakOff(connection: ProxiedConnection, sent: Promise<unknown>): Promise<void>
}

/** The faults of a connection to a server. */
export function faultsOf({ query }: PostgresDatabases): readonly Fault[] {
  return [
    {
      name: 'a lost connection',
      moments: ['before', 'after'],
      hangs: false,
      breakOff: async (connection) => connection.cut(),
    },
    {
      name: 'pg_terminate_backend',
      moments: ['after'],
      hangs: false,
      breakOff: async (connection) => {
        await query(`select pg_terminate_backend(${connection.pid}, 5000)`)
        connection.thaw()
      },
    },
    {
      name: 'a connection that is frozen until nobody waits any longer',
      moments: ['before', 'after'],
      hangs: true,
      breakOff: async (connection, sent) => {
        await sent
        connection.thaw()
      },
    },
    {
      name: 'a backend that is frozen until nobody waits any longer',
      moments: ['after'],
      hangs: true,
      breakOff: async (connection, sent) => {
        process.kill(connection.pid, 'SIGSTOP')
        connection.thaw()
        await sent
        process.kill(connection.pid, 'SIGCONT')
      },
    },
  ]
}

/** Sends a click and kills its host after one of the click's statements, or after its answer where it has fewer. */
export async function killAt<Sent>(
  { proxy }: ClickShop,
  host: ClickHost,
  { n, when }: BreakPoint,
  send: () => Promise<Sent>,
): Promise<Sent> {
  if (proxy === undefined) {
    await host.killAfter(n)
    const sent = await send()
    await host.kill()
    return sent
  }
  await warmUp(host)
  const trap = proxy.catchStatement(n, when)
  const sent = send()
  await Promise.race([trap.caught, sent])
  trap.disarm()
  await host.kill()
  for (const connection of proxy.connections()) connection.thaw()
  return sent
}

/**
 * Counts the statements of a click: the least of three, since now and then a host opens a connection, or removes what expired
 * long ago, while it serves a click.
 */
export async function countStatements(
  { proxy }: ClickShop,
  host: ClickHost,
  send: (product: string) => Promise<{ readonly status: number }>,
): Promise<number> {
  const counts: number[] = []
  for (const product of products) {
    const before = proxy?.traffic().statements ?? 0
    if (proxy === undefined) await host.killAfter(Number.MAX_SAFE_INTEGER)
    const { status } = await send(product)
    if (status !== 200) throw new Error(`the click that is counted was answered ${status}`)
    counts.push(proxy === undefined ? await host.statements() : proxy.traffic().statements - before)
  }
  return Math.min(...counts)
}

/** Counts the statements of an add: those of one with a key, or without one, if it has more. */
export async function countOfAdd(shop: ClickShop, host: ClickHost, email: string): Promise<number> {
  const add = (product_id: string, key?: string) => host.send('/upsells/add-product', { email, product_id }, key)
  const unnamed = await countStatements(shop, host, (product) => add(product))
  return Math.max(unnamed, await countStatements(shop, host, (product) => add(product, `a-key-for-${product}`)))
}

/** Has a host open a connection, and do what it does once only. */
async function warmUp(host: ClickHost): Promise<void> {
  await host.send('/upsells/undo-add-product', { email: 'nobody@shop.example', product_id: 'cups' })
}
