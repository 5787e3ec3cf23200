import { describe, expect, it } from 'vitest'
import type { Connections, Failure, Writer } from '../../src/db/connections.ts'
import { createDatabase } from '../../src/db/database.ts'
import { ChangedMeanwhile } from '../../src/db/database-errors.ts'
import { openSqliteFile } from '../../src/db/sqlite-file.ts'

/** An error that means what a test wants it to mean. */
class Trouble extends Error {
  readonly code = 'TROUBLE'
  readonly failure: Failure | undefined
  constructor(failure?: Failure) {
    super('TEST@example.com is in trouble')
    this.failure = failure
  }
}

const conflict = { retry: true, broken: false, lost: false }
const lost = { retry: true, broken: true, lost: true }
const shortage = { retry: false, broken: false, lost: false }

/** Connections whose steps fail as often as a test says, each time with the next of its troubles. */
function troubled(troubles: Partial<Record<'connect' | 'begin' | 'work' | 'commit', (Failure | undefined)[]>>) {
  const { db, send } = openSqliteFile(':memory:', undefined)
  const steps: string[] = []
  const step = (name: 'connect' | 'begin' | 'work' | 'commit') => {
    steps.push(name)
    const left = troubles[name]
    if (left !== undefined && left.length > 0) throw new Trouble(left.shift())
  }
  const writer = (): Writer => ({
    db,
    send,
    begin: async () => step('begin'),
    disarmAbort: () => {},
    commit: async () => step('commit'),
    rollback: async () => void steps.push('rollback'),
    release: (broken) => void steps.push(broken ? 'give away' : 'give back'),
  })
  const connect = async () => {
    step('connect')
    return writer()
  }
  const connections: Connections = {
    ...{ dialect: 'sqlite', reader: connect, writer: connect, close: async () => {}, explain: () => '' },
    failureOf: (error) => (error instanceof Trouble ? error.failure : undefined),
  }
  return { database: createDatabase(connections), steps, work: async () => step('work') }
}

describe('a transaction', () => {
  it('begins, works, commits and gives its connection back', async () => {
    const { database, steps, work } = troubled({})
    await database.transaction(work)
    expect(steps).toEqual(['connect', 'begin', 'work', 'commit', 'give back'])
  })

  it('is run again when another one was in its way, wherever it noticed', async () => {
    const { database, steps, work } = troubled({ begin: [conflict], work: [conflict], commit: [conflict] })
    await database.transaction(work)
    expect(steps.filter((step) => step === 'rollback')).toHaveLength(3)
    expect(steps.slice(-5)).toEqual(['connect', 'begin', 'work', 'commit', 'give back'])
  })

  it('is run again when what it read has changed', async () => {
    const { database, steps, work } = troubled({})
    let times = 0
    await database.transaction(async () => {
      await work()
      if (++times < 3) throw new ChangedMeanwhile()
    })
    expect(steps.filter((step) => step === 'commit')).toHaveLength(1)
  })

  it('is run again over a new connection when its own was lost, but not for ever', async () => {
    const twice = troubled({ connect: [lost], work: [lost] })
    await twice.database.transaction(twice.work)
    expect(twice.steps).toEqual([
      ...['connect', 'connect', 'begin', 'work', 'give away'],
      ...['connect', 'begin', 'work', 'commit', 'give back'],
    ])
    const always = troubled({ work: [lost, lost, lost] })
    await expect(always.database.transaction(always.work)).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(always.steps.filter((step) => step === 'commit')).toEqual([])
  })

  it('says store_unavailable at once for a shortage', async () => {
    const { database, steps, work } = troubled({ work: [shortage] })
    await expect(database.transaction(work)).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(steps).toEqual(['connect', 'begin', 'work', 'rollback', 'give back'])
  })

  it('whose commit was lost is run again only when it notices that it was done', async () => {
    const repeatable = troubled({ commit: [lost] })
    await repeatable.database.transaction(repeatable.work, { repeatable: true })
    expect(repeatable.steps.filter((step) => step === 'commit')).toHaveLength(2)
    const other = troubled({ commit: [lost] })
    await expect(other.database.transaction(other.work)).rejects.toMatchObject({ code: 'upstream_error' })
    expect(other.steps.filter((step) => step === 'commit')).toHaveLength(1)
  })

  it('whose commit was lost never says that nothing has changed', async () => {
    const { database, work } = troubled({ commit: [lost], connect: [] })
    const gone = troubled({ commit: [lost], begin: [] })
    await expect(database.transaction(work)).rejects.toMatchObject({ code: 'upstream_error' })
    let times = 0
    const call = gone.database.transaction(
      async () => {
        await gone.work()
        if (++times > 1) throw new Trouble(lost)
      },
      { repeatable: true },
    )
    await expect(call).rejects.toMatchObject({ code: 'upstream_error' })
  })

  it('passes on what is wrong with a statement, without an email in it', async () => {
    const { database, steps, work } = troubled({ work: [undefined] })
    await expect(database.transaction(work)).rejects.toMatchObject({ message: 'TROUBLE: [email] is in trouble' })
    expect(steps).toEqual(['connect', 'begin', 'work', 'rollback', 'give back'])
  })

  it('is not committed when nobody waits any longer', async () => {
    const { database, steps, work } = troubled({})
    const controller = new AbortController()
    const reason = new Error('Nobody waits any longer.')
    const call = database.transaction(
      async () => {
        await work()
        controller.abort(reason)
      },
      { waiting: controller },
    )
    await expect(call).rejects.toBe(reason)
    expect(steps).toEqual(['connect', 'begin', 'work', 'rollback', 'give back'])
  })
})

describe('a read', () => {
  it('is run again over a new connection, but not for ever', async () => {
    const once = troubled({ work: [lost, conflict] })
    await once.database.read(once.work)
    expect(once.steps.filter((step) => step === 'work')).toHaveLength(3)
    const always = troubled({ work: [lost, lost, lost] })
    await expect(always.database.read(always.work)).rejects.toMatchObject({ code: 'store_unavailable' })
  })
})
