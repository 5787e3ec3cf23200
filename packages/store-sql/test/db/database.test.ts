import { describe, expect, it } from 'vitest'
import type { Connections, Failure, Writer } from '../../src/db/connections.ts'
import { ChangedMeanwhile, createDatabase } from '../../src/db/database.ts'

import { openSqliteFile } from '../../src/db/sqlite-file.ts'

/** A database error with a classification that a test chooses. */
class TestError extends Error {
  readonly code = 'TEST_ERROR'
  readonly detail = 'Key (email)=(test@example.com) already exists.'
  readonly failure: Failure | undefined
  constructor(failure?: Failure) {
    super('TEST@example.com is a duplicate')
    this.failure = failure
  }
}

const conflict = { retry: true, broken: false, lost: false }
const lost = { retry: true, broken: true, lost: true }
const shortage = { retry: false, broken: false, lost: false }

/** Opens a database whose steps fail with the given errors, in sequence. A step succeeds if no errors remain for it. */
function openFailing(failures: Partial<Record<'connect' | 'begin' | 'work' | 'commit', (Failure | undefined)[]>>) {
  const { db, send } = openSqliteFile(':memory:', undefined)
  const steps: string[] = []
  const step = (name: 'connect' | 'begin' | 'work' | 'commit') => {
    steps.push(name)
    const left = failures[name]
    if (left !== undefined && left.length > 0) throw new TestError(left.shift())
  }
  const writer = (): Writer => ({
    db,
    send,
    begin: async () => step('begin'),
    disarmAbort: () => {},
    commit: async () => step('commit'),
    rollback: async () => void steps.push('rollback'),
    release: (broken) => void steps.push(broken ? 'discard' : 'release'),
  })
  const connect = async () => {
    step('connect')
    return writer()
  }
  const connections: Connections = {
    ...{ dialect: 'sqlite', reader: connect, writer: connect, close: async () => {}, explain: () => '' },
    failureOf: (error) => (error instanceof TestError ? error.failure : undefined),
  }
  return { database: createDatabase(connections), steps, work: async () => step('work') }
}

describe('a transaction', () => {
  it('begins, commits and releases its connection', async () => {
    const { database, steps, work } = openFailing({})
    await database.transaction(work)
    expect(steps).toEqual(['connect', 'begin', 'work', 'commit', 'release'])
  })

  it('is retried after a conflict in any step', async () => {
    const { database, steps, work } = openFailing({ begin: [conflict], work: [conflict], commit: [conflict] })
    await database.transaction(work)
    expect(steps.filter((step) => step === 'rollback')).toHaveLength(3)
    expect(steps.slice(-5)).toEqual(['connect', 'begin', 'work', 'commit', 'release'])
  })

  it('is retried if its data was changed concurrently', async () => {
    const { database, steps, work } = openFailing({})
    let times = 0
    await database.transaction(async () => {
      await work()
      if (++times < 3) throw new ChangedMeanwhile()
    })
    expect(steps.filter((step) => step === 'commit')).toHaveLength(1)
  })

  it('is retried at most twice, on a new connection, after the connection is lost', async () => {
    const twice = openFailing({ connect: [lost], work: [lost] })
    await twice.database.transaction(twice.work)
    expect(twice.steps).toEqual([
      ...['connect', 'connect', 'begin', 'work', 'discard'],
      ...['connect', 'begin', 'work', 'commit', 'release'],
    ])
    const always = openFailing({ work: [lost, lost, lost] })
    await expect(always.database.transaction(always.work)).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(always.steps.filter((step) => step === 'commit')).toEqual([])
  })

  it('fails with store_unavailable, without a retry, for an error that a retry cannot fix', async () => {
    const { database, steps, work } = openFailing({ work: [shortage] })
    await expect(database.transaction(work)).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(steps).toEqual(['connect', 'begin', 'work', 'rollback', 'release'])
  })

  it('is retried after a connection loss during commit only with the option `repeatable`', async () => {
    const repeatable = openFailing({ commit: [lost] })
    await repeatable.database.transaction(repeatable.work, { repeatable: true })
    expect(repeatable.steps.filter((step) => step === 'commit')).toHaveLength(2)
    const other = openFailing({ commit: [lost] })
    await expect(other.database.transaction(other.work)).rejects.toMatchObject({ code: 'upstream_error' })
    expect(other.steps.filter((step) => step === 'commit')).toHaveLength(1)
  })

  it('never fails with store_unavailable after a connection loss during commit', async () => {
    const { database, work } = openFailing({ commit: [lost], connect: [] })
    const gone = openFailing({ commit: [lost], begin: [] })
    await expect(database.transaction(work)).rejects.toMatchObject({ code: 'upstream_error' })
    let times = 0
    const call = gone.database.transaction(
      async () => {
        await gone.work()
        if (++times > 1) throw new TestError(lost)
      },
      { repeatable: true },
    )
    await expect(call).rejects.toMatchObject({ code: 'upstream_error' })
  })

  it('removes emails from the error of an invalid statement', async () => {
    const { database, steps, work } = openFailing({ work: [undefined] })
    const error: unknown = await database.transaction(work).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ message: 'TEST_ERROR: [email] is a duplicate' })
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('example.com')
    expect(steps).toEqual(['connect', 'begin', 'work', 'rollback', 'release'])
  })

  it('is not committed after an abort', async () => {
    const { database, steps, work } = openFailing({})
    const controller = new AbortController()
    const reason = new Error('The caller has disconnected.')
    const call = database.transaction(
      async () => {
        await work()
        controller.abort(reason)
      },
      { waiting: controller },
    )
    await expect(call).rejects.toBe(reason)
    expect(steps).toEqual(['connect', 'begin', 'work', 'rollback', 'release'])
  })
})

describe('a read', () => {
  it('is retried at most twice, on a new connection', async () => {
    const once = openFailing({ work: [lost, conflict] })
    await once.database.read(once.work)
    expect(once.steps.filter((step) => step === 'work')).toHaveLength(3)
    const always = openFailing({ work: [lost, lost, lost] })
    await expect(always.database.read(always.work)).rejects.toMatchObject({ code: 'store_unavailable' })
  })
})
