import { ageClicks } from '@storeport/testing/age-clicks'
import { type ChildProcess, fork } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { openSqlStore, type SqlStore } from '@storeport/store-sql'
import { dataFolder, startHostProcess } from '@storeport/testing/start-host-process'
import { beansOf } from './memory-shop.ts'
import { data, key, type Shop, today } from './shop.ts'

/** A shop in an SQLite file, served by two processes of the reference host. */
export async function openSqliteShop(): Promise<Shop> {
  const folder = await dataFolder()
  return openSqlShop(`sqlite:${join(folder, 'store.db')}`, 'sqlite', folder)
}

/** A shop in a PostgreSQL database, served by two processes of the reference host. */
export async function openPostgresShop(url: string): Promise<Shop> {
  return openSqlShop(url, url, await dataFolder())
}

async function openSqlShop(url: string, setting: string, folder: string): Promise<Shop> {
  const store = await openSqlStore({ url, data, today, seed: 'if-empty' })
  const where = { STOREPORT_STORE: setting, STOREPORT_DATA: folder }
  const env = { STOREPORT_API_KEYS: key, STOREPORT_TODAY: today, STOREPORT_LOG: 'silent', ...where }
  const [first, second] = await Promise.all([startHostProcess(env), startHostProcess(env)])
  const opened: SqlStore[] = [store]
  const doomed: ChildProcess[] = []
  return {
    hosts: [first.url, second.url],
    open: async () => {
      // Connections of its own, as another process would have.
      const another = await openSqlStore({ url, today })
      opened.push(another)
      return another
    },
    ageClicks: (ms) => ageClicks(store, ms),
    effects: async (email) => ({
      orders: (await store.orders(email)).length,
      beans: beansOf((await store.account(email))?.subscriptions),
      actions: (await store.actionsRun(email)).length,
    }),
    startDoomed: async (when) => {
      const { child, address } = startDoomed(url, when)
      doomed.push(child)
      return address
    },
    close: async () => {
      // One that a test has not brought to its end.
      for (const child of doomed) child.kill('SIGKILL')
      for (const host of [first, second]) host.child.kill('SIGTERM')
      await Promise.all([first.exited, second.exited, ...opened.map((each) => each.close())])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function startDoomed(url: string, when: 'before' | 'after') {
  const root = resolve(import.meta.dirname, '../../..')
  const program = resolve(import.meta.dirname, 'doomed-host.ts')
  const child = fork(program, [url, when], { cwd: root, execArgv: ['--import', 'tsx'] })
  const address = new Promise<string>((listening, failed) => {
    child.once('message', (message) => listening(String(message)))
    child.once('exit', () => failed(new Error('the process ended before it listened')))
  })
  return { child, address }
}
