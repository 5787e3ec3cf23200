import { shopAt } from '@storeport/testing/shop-at'
import { createHistory } from '@storeport/core'
import { openSqlStore } from '@storeport/store-sql'
import { describeDatabases } from '@storeport/testing/describe-databases'
import { dataFolder } from '@storeport/testing/start-host-process'
import { expect, it, onTestFinished, vi } from 'vitest'
import { key } from './open-host.ts'
import { killBeforeResponse, openProcess } from './open-process.ts'

const email = 'subscription@example.com'
const secret = 'h'.repeat(32)
/** How the host is killed. */
const kills = ['at any moment', 'before the response to a change'] as const

await describeDatabases('the history of a host', (database) => {
  it('loses no click, and only the end of the history, if the host is killed', async () => {
    const url = await database.create()
    const env = { STOREPORT_STORE: url, STOREPORT_DATA: await dataFolder(), STOREPORT_HISTORY_KEY: secret }
    let host = await openProcess(env, killBeforeResponse)
    const store = await openSqlStore({ url })
    onTestFinished(() => store.close())
    const history = createHistory(store.history, { keys: [secret] })
    const read = () => history.read({ email, limit: 100_000 })
    let accepted = 0
    let requestId: string | undefined
    /** Sends the next click, or repeats the click that the killed host did not answer. */
    const clickOnce = async () => {
      const shop = shopAt(host.url, key)
      const headers = { 'Idempotency-Key': `click-${accepted}`, ...(requestId && { 'X-Request-Id': requestId }) }
      await shop.addProduct({ email, product_id: 'test_54321' }, headers)
      accepted += 1
    }
    for (const kill of kills) {
      const before = (await read()).records.length
      const clicking = (async () => {
        for (;;) await clickOnce()
      })().catch(() => {})
      await vi.waitFor(async () => expect((await read()).records.length).toBeGreaterThan(before + 50), 30_000)
      if (kill === 'at any moment') host.child.kill('SIGKILL')
      else requestId = 'killed'
      await host.exited
      await clicking
      requestId = undefined
      host = await openProcess(env, killBeforeResponse)
      await clickOnce()
    }
    await host.stop()
    const items = (await store.account(email))?.subscriptions.find(({ id }) => id === 'sub_1001')?.items ?? []
    const added = items.find(({ product_id }) => product_id === 'test_54321')?.quantity ?? 0
    const { records, unreadable } = await read()
    expect(unreadable).toBe(0)
    expect([added, records.some(({ replayed }) => replayed)]).toEqual([accepted, true])
    // A click has two records if the host was killed between its first record and its response.
    const numbers = [...new Set(records.map(({ namedKey = '' }) => Number(namedKey.slice('click-'.length))))]
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
    const gaps = numbers.filter((number, at) => at > 0 && number !== (numbers[at - 1] ?? 0) + 1)
    expect([numbers[0], numbers.at(-1)]).toEqual([0, accepted - 1])
    expect(gaps.length).toBeLessThanOrEqual(kills.length)
  })
})
