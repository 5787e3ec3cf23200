import { describe, expect, it } from 'vitest'
import type { Connections, Failure, Writer } from '../../src/db/connections.ts'
import { ChangedMeanwhile, createDatabase, type TransactionOptions } from '../../src/db/database.ts'
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

type StepName = 'connect' | 'begin' | 'work' | 'commit'
/** How a step fails, in each attempt. A step succeeds for `ok`, and if no failures remain for it. */
type Failures = Partial<Record<StepName, (Failure | 'ok' | 'changed' | undefined)[]>>

/** Opens a database whose steps fail. */
function openFailing(failures: Failures) {
  const { db, send } = openSqliteFile(':memory:')
  const steps: string[] = []
  const step = (name: StepName) => {
    steps.push(name)
    const left = failures[name] ?? []
    if (left.length === 0) return
    const failure = left.shift()
    if (failure === 'changed') throw new ChangedMeanwhile()
    if (failure !== 'ok') throw new TestError(failure)
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

const endOf = (running: Promise<unknown>) =>
  running.then(
    () => 'done',
    (error: unknown) => Object(error).code,
  )

const done = 'connect begin work commit release'
const undone = 'connect begin work rollback release'
const broken = 'connect begin work discard'
const brokenCommit = 'connect begin work commit discard'
const repeatable = { repeatable: true }

describe('a transaction', () => {
  it.each<[string, Failures, TransactionOptions, end: string, attempts: readonly string[]]>([
    ['begins, commits and releases its connection', {}, {}, 'done', [done]],
    [
      'is retried after a conflict in any step',
      { begin: [conflict], work: [conflict], commit: [conflict] },
      {},
      'done',
      ['connect begin rollback release', undone, 'connect begin work commit rollback release', done],
    ],
    [
      'is retried if its data was changed concurrently',
      { work: ['changed', 'changed'] },
      {},
      'done',
      [undone, undone, done],
    ],
    [
      'is retried on a new connection after the connection is lost',
      { connect: [lost], work: [lost] },
      {},
      'done',
      ['connect', broken, done],
    ],
    ['is retried at most twice', { work: [lost, lost, lost] }, {}, 'store_unavailable', [broken, broken, broken]],
    ['is not retried if a retry cannot help', { work: [shortage] }, {}, 'store_unavailable', [undone]],
    ['is not retried after a lost commit', { commit: [lost] }, {}, 'upstream_error', [brokenCommit]],
    ['is retried after a lost commit if repeatable', { commit: [lost] }, repeatable, 'done', [brokenCommit, done]],
    [
      'never fails with store_unavailable after a lost commit',
      { commit: [lost], work: ['ok', lost, lost] },
      repeatable,
      'upstream_error',
      [brokenCommit, broken, broken],
    ],
  ])('%s', async (_, failures, options, end, attempts) => {
    const { database, steps, work } = openFailing(failures)
    expect([await endOf(database.transaction(work, options)), steps.join(' ')]).toEqual([end, attempts.join(' ')])
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
  it.each<[Failures, end: string, attempts: number]>([
    [{ work: [lost, conflict] }, 'done', 3],
    [{ work: [lost, lost, lost] }, 'store_unavailable', 3],
  ])('is retried at most twice, on a new connection: %j', async (failures, end, attempts) => {
    const { database, steps, work } = openFailing(failures)
    expect(await endOf(database.read(work))).toBe(end)
    expect(steps.filter((step) => step === 'work')).toHaveLength(attempts)
  })
})
