import type { ProxiedConnection } from '@storeport/testing/delay-proxy'
import type { PostgresDatabases } from '@storeport/testing/postgres-at'
import type { ClickShop } from './open-shop.ts'
import { products } from './shop.ts'
import type { ClickHost } from './start-click-host.ts'

/** A point in the statements of a click at which a test interrupts the click. */
export interface BreakPoint {
  /** Number of the statement, starting at 1. */
  readonly n: number
  /**
   * `before`: the database has not received the statement. `after`: the database has run the statement, but the host
   * has not received the result.
   */
  readonly when: 'before' | 'after'
}

/** A fault in the connection of a click. */
export interface Fault {
  readonly name: string
  /** Moments at which the fault has an effect: before a statement, after a statement, or both. */
  readonly moments: readonly BreakPoint['when'][]
  /** Whether the host detects the fault only by a timeout. */
  readonly hangs: boolean
  /** Injects the fault into a connection that the proxy has frozen. A fault that hangs lasts until `sent` resolves. */
  inject(connection: ProxiedConnection, sent: Promise<unknown>): Promise<void>
}

/** Returns the faults that a test can inject into a connection to this PostgreSQL server. */
export function faultsOf({ query }: PostgresDatabases): readonly Fault[] {
  return [
    {
      name: 'a lost connection',
      moments: ['before', 'after'],
      hangs: false,
      inject: async (connection) => connection.cut(),
    },
    {
      name: 'pg_terminate_backend',
      moments: ['after'],
      hangs: false,
      inject: async (connection) => {
        await query(`select pg_terminate_backend(${connection.pid}, 5000)`)
        connection.thaw()
      },
    },
    {
      name: 'pg_cancel_backend',
      moments: ['after'],
      hangs: false,
      inject: async (connection) => {
        connection.thaw()
        await query(`select pg_cancel_backend(${connection.pid})`)
      },
    },
    {
      name: 'a frozen connection',
      moments: ['before', 'after'],
      hangs: true,
      inject: async (connection, sent) => {
        await sent
        connection.thaw()
      },
    },
    {
      name: 'a frozen backend',
      moments: ['after'],
      hangs: true,
      inject: async (connection, sent) => {
        signal(connection.pid, 'SIGSTOP')
        connection.thaw()
        await sent
        signal(connection.pid, 'SIGCONT')
      },
    },
  ]
}

/** Sends a signal to a backend, unless the backend has already exited. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Sends a click and kills its host at a statement, or after the response if the click has fewer statements. */
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
 * Returns the number of statements in a click: the minimum of several clicks, because a host sometimes also opens a
 * connection or deletes expired rows.
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
    if (status !== 200) throw new Error(`Expected status 200 for the counted click, received ${status}.`)
    counts.push(proxy === undefined ? await host.statements() : proxy.traffic().statements - before)
  }
  return Math.min(...counts)
}

/** Returns the number of statements in an add: the maximum of an add without a key and an add with a key. */
export async function countOfAdd(shop: ClickShop, host: ClickHost, email: string): Promise<number> {
  const add = (product_id: string, key?: string) => host.send('/upsells/add-product', { email, product_id }, key)
  const unnamed = await countStatements(shop, host, (product) => add(product))
  return Math.max(unnamed, await countStatements(shop, host, (product) => add(product, `a-key-for-${product}`)))
}

/** Makes a host open a connection and run its one-time setup statements. */
async function warmUp(host: ClickHost): Promise<void> {
  await host.send('/upsells/undo-add-product', { email: 'nobody@shop.example', product_id: 'cups' })
}
