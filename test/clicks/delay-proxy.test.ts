import pg from 'pg'
import { describePostgres } from '@storeport/testing/describe-databases'
import { type DelayProxy, startDelayProxy } from '@storeport/testing/delay-proxy'
import { beforeAll, expect, it, onTestFinished } from 'vitest'

await describePostgres('delay proxy', (database) => {
  let url: string
  beforeAll(async () => {
    url = await database.create()
  })

  async function connect(delayMs = 0): Promise<{ proxy: DelayProxy; client: pg.Client }> {
    const proxy = await startDelayProxy(url, delayMs)
    onTestFinished(proxy.stop)
    const client = new pg.Client({ connectionString: proxy.through(url) })
    client.on('error', () => {})
    await client.connect()
    onTestFinished(() => client.end().catch(() => {}))
    return { proxy, client }
  }

  it('delays data in both directions, and counts statements, round trips and commits', async () => {
    const { proxy, client } = await connect(10)
    expect(proxy.traffic()).toEqual({ statements: 0, roundTrips: 0, commits: 0 })
    const startedAt = performance.now()
    await client.query('begin')
    await client.query('select $1::int', [1])
    await client.query('commit')
    expect(performance.now() - startedAt).toBeGreaterThan(3 * 2 * 9)
    expect(proxy.traffic()).toEqual({ statements: 3, roundTrips: 3, commits: 1 })
  })

  it('forwards messages larger than its buffer', async () => {
    const { client } = await connect(1)
    const { rows } = await client.query<{ text: string }>('select $1::text as text', ['x'.repeat(3_000_000)])
    expect(rows[0]?.text).toHaveLength(3_000_000)
  })

  it.each([
    { when: 'before', names: [] },
    { when: 'after', names: ['second'] },
  ] as const)('catches a statement $when the server runs it', async ({ when, names }) => {
    const { proxy, client } = await connect()
    const table = `caught_${when}`
    await client.query(`create table ${table} (name text)`)
    const trap = proxy.catchStatement(2, when)
    await client.query('select 1')
    const second = client.query(`insert into ${table} values ('second')`)
    const outcome = second.then(
      () => 'succeeded',
      () => 'failed',
    )
    const connection = await trap.caught
    const direct = new pg.Client({ connectionString: url })
    await direct.connect()
    const { rows } = await direct.query<{ name: string }>(`select name from ${table}`)
    await direct.end()
    expect(rows.map(({ name }) => name)).toEqual(names)
    connection.cut()
    expect(await outcome).toBe('failed')
  })

  it('freezes and thaws a connection', async () => {
    const { proxy, client } = await connect()
    const trap = proxy.catchStatement(1, 'after')
    const query = client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const connection = await trap.caught
    connection.thaw()
    expect((await query).rows[0]?.pid).toBe(connection.pid)
    expect(proxy.connections()).toHaveLength(1)
    const ended = new Promise<void>((end) => client.once('end', () => end()))
    connection.cut()
    await ended
  })
})
