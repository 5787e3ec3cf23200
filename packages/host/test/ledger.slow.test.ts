import { describeDatabases } from '@storeport/testing/describe-databases'
import { dataFolder, run } from '@storeport/testing/start-host-process'
import { openSqlStore } from '@storeport/store-sql'
import { expect, it } from 'vitest'

await describeDatabases('storeport ledger forgot', (database) => {
  it('marks the ledger as young (decision 28)', async () => {
    const url = await database.create()
    const env = { STOREPORT_STORE: url, STOREPORT_DATA: await dataFolder() }
    const store = await openSqlStore({ url })
    const isYoung = () => store.ledger.update('a:b', (_stored, _now, young) => ({ result: young }))
    expect(await isYoung()).toBe(false)
    const { code, stdout } = await run(env, ['ledger', 'forgot']).exited
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'The ledger is treated as incomplete for 24 hours\n' })
    expect(await isYoung()).toBe(true)
    await store.close()
  })
})
