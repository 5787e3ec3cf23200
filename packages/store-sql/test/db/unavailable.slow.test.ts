import Database from 'libsql'
import { expect, it } from 'vitest'
import { click, contextOf, oneOf, send } from '@storeport/testing/clicks'
import { describeStoppableDatabases } from '@storeport/testing/stores/describe-databases'
import { holdLock } from '../hold-lock.ts'

const today = '2026-03-10'
const email = 'subscription@example.com'
const lockCustomer = `select from customers where email = '${email}' for update`
const add = (customer = email) => click('addProduct', { email: customer, ...oneOf('test_54321') })

await describeStoppableDatabases('a store with an unavailable database', (database, server) => {
  it('serves reads while a change waits for a lock', async () => {
    const url = await database.create()
    const store = await database.open({ url, today })
    const release = await holdLock(url, lockCustomer)
    let settled = false
    const waiting = send(store, add()).finally(() => {
      settled = true
    })
    for (let turn = 0; turn < 20; turn++) {
      expect((await store.getSubscription({ email }, contextOf()))?.items).toHaveLength(2)
      await new Promise((resume) => setImmediate(resume))
    }
    expect(settled).toBe(false)
    await release()
    expect(await waiting).toBe('done')
    expect((await store.getSubscription({ email }, contextOf()))?.items).toHaveLength(3)
  })

  it('changes nothing after an abort', async () => {
    const url = await database.create()
    const store = await database.open({ url, today })
    const release = await holdLock(url, lockCustomer)
    const controller = new AbortController()
    const reason = new Error('The caller has disconnected.')
    const call = { ...contextOf(), signal: controller.signal }
    const waiting = [add(), add()].map(({ input }) => store.addProduct(input, call))
    await new Promise((resume) => setImmediate(resume))
    controller.abort(reason)
    // The waiting changes must end while the lock is still held.
    const ended = await Promise.allSettled(waiting)
    expect(ended).toEqual(Array.from({ length: 2 }, () => ({ status: 'rejected', reason })))
    await release()
    await expect(store.addProduct(add().input, call)).rejects.toBe(reason)
    expect((await store.account(email))?.adds).toEqual([])
    expect(await send(store, add())).toBe('done')
  })

  if (server === undefined) {
    it('waits at startup for an exclusive lock that another program holds', async () => {
      const url = await database.create()
      const other = new Database(url.slice('sqlite:'.length))
      other.exec('create table mine (name text); begin exclusive')
      const opening = database.open({ url, today })
      await new Promise((resume) => setImmediate(resume))
      other.exec('rollback')
      other.close()
      expect(await send(await opening, add())).toBe('done')
    })
    return
  }

  it('fails with store_unavailable while the server is down, and recovers afterward', async () => {
    const store = await database.open({ today })
    await server.pause()
    const read = store.getSubscription({ email }, contextOf())
    await expect(read).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await send(store, add())).toBe('store_unavailable')
    expect(await store.isReady()).toBe(false)
    await expect(store.ledger.update('a:b', () => ({ result: undefined }))).rejects.toThrow()
    await server.resume()
    expect(await send(store, add())).toBe('done')
    expect(await store.isReady()).toBe(true)
    expect((await store.account(email))?.adds).toHaveLength(1)
  })

  it('is not ready if the server is read-only', async () => {
    const url = await database.create()
    const store = await database.open({ url, today })
    const [row] = await server.query('select current_database() as name', url)
    await server.query(`alter database ${String(row?.['name'])} set default_transaction_read_only = on`)
    await store.close()
    const standby = await database.open({ url, today })
    expect(await standby.isReady()).toBe(false)
    expect(await send(standby, add())).toBe('store_unavailable')
    expect((await standby.getSubscription({ email }, contextOf()))?.items).toHaveLength(2)
  })

  it('cancels the running statement after an abort', async () => {
    const url = await database.create()
    const store = await database.open({ url, today })
    const release = await holdLock(url, lockCustomer)
    const controller = new AbortController()
    const waiting = store.addProduct(add().input, { ...contextOf(), signal: controller.signal })
    const countWaiting = async () =>
      (
        await server.query(
          `select pid from pg_stat_activity where application_name = 'storeport' and wait_event_type = 'Lock'`,
        )
      ).length
    while ((await countWaiting()) === 0);
    controller.abort(new Error('aborted'))
    await expect(waiting).rejects.toThrow('aborted')
    expect(await countWaiting()).toBe(0)
    await release()
  })
})
