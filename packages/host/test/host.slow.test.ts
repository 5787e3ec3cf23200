import { execFile } from 'node:child_process'
import { chmod, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { key } from '@storeport/testing/send'
import { dataFolder, run, startHostProcess } from '@storeport/testing/start-host-process'

describe('the first start of a host', () => {
  let host: Awaited<ReturnType<typeof startHostProcess>>
  let data: string
  beforeAll(async () => {
    data = await dataFolder()
    host = await startHostProcess({ STOREPORT_DATA: data, STOREPORT_STORE: 'memory' })
  })
  afterAll(() => host.child.kill('SIGKILL'))

  it('creates a key, prints the key once, and stores the key in a file', async () => {
    const storedKey = (await readFile(join(data, 'api-key'), 'utf8')).trim()
    expect(storedKey).toMatch(/^[\w-]{32}$/)
    expect(host.output.stdout.split(storedKey)).toHaveLength(2)
  })

  it('prints the widgets and buttons that the email platform will show', () => {
    for (const widget of ['Upsell products', 'Delay Subscription button', 'Send Now button', 'Reactivation list']) {
      expect(host.output.stdout).toContain(`✓ ${widget}`)
    }
    expect(host.output.stdout).not.toContain('✗')
  })

  it('prints three working curl commands', async () => {
    const lines = host.output.stdout.split('\n').filter((line) => line.includes('curl '))
    expect(lines).toHaveLength(3)
    for (const line of lines) {
      const { stdout } = await promisify(execFile)('bash', ['-c', line.replace('curl ', 'curl -sS ')])
      expect(stdout).toMatch(/^\{"success":true/)
    }
  })

  it('accepts the stored key after a restart, does not print the key again, and serves the product images', async () => {
    const env = { STOREPORT_DATA: data, STOREPORT_STORE: 'memory', STOREPORT_PAUSED: 'sendNow' }
    const second = await startHostProcess({ ...env, STOREPORT_LOG: 'error' })
    const storedKey = (await readFile(join(data, 'api-key'), 'utf8')).trim()
    expect(second.output.stdout).not.toContain(storedKey)
    expect(second.output.stdout).toContain(`API key  in ${join(data, 'api-key')}\n`)
    expect(second.output.stdout).toContain('‖ Send Now button (paused')
    const headers = { 'x-integration-api-key': storedKey }
    const listed = await fetch(`${second.url}/integration/upsells/products`, { headers })
    const { products } = JSON.parse(await listed.text()).data
    expect(products).toHaveLength(3)
    for (const { images } of products) {
      const image = await fetch(images[0])
      expect([image.url, image.status]).toEqual([expect.stringContaining(`${second.url}/images/`), 200])
    }
    second.child.kill('SIGTERM')
    expect(await second.exited).toMatchObject({ code: 0, stderr: '' })
  })
})

it('creates a folder and files with private permissions, and fixes the permissions of existing files', async () => {
  const STOREPORT_DATA = join(await dataFolder(), 'data')
  for (const existing of [0o600, 0o644]) {
    for (const name of await readdir(STOREPORT_DATA).catch(() => [])) await chmod(join(STOREPORT_DATA, name), existing)
    const { child, exited } = await startHostProcess({ STOREPORT_DATA })
    const names = await readdir(STOREPORT_DATA)
    expect(names).toEqual(expect.arrayContaining(['api-key', 'token', 'store.db', 'store.db-wal']))
    for (const name of ['.', ...names])
      expect([name, (await stat(join(STOREPORT_DATA, name))).mode & 0o777]).toEqual([
        name,
        name === '.' ? 0o700 : 0o600,
      ])
    child.kill('SIGKILL')
    await exited
  }
})

describe('storeport', () => {
  it('reads settings from environment variables, which options override', async () => {
    const env = {
      STOREPORT_API_KEYS: `the-old-key-of-tests,${key}`,
      STOREPORT_VENDOR: 'other',
      STOREPORT_STORE: 'memory',
    }
    const host = await startHostProcess({ ...env, STOREPORT_TODAY: '2026-01-01' }, [
      '--vendor',
      'acme-mail',
      '--public-url',
      'https://cdn.example/',
    ])
    const path = '/acme-mail/customer-portal/subscription?email=subscription@example.com'
    const response = await fetch(host.url + path, { headers: { 'x-acme-mail-api-key': key } })
    const { data } = JSON.parse(await response.text())
    expect(data.next_billing_date).toBe('2026-01-15')
    expect(data.items[0].images[0]).toBe('https://cdn.example/images/test_12345.svg')
    expect(host.output.stdout).not.toContain(key)
    host.child.kill('SIGINT')
    expect((await host.exited).code).toBe(0)
  })

  it.each([
    [{ STOREPORT_API_KEYS: '' }, 'STOREPORT_API_KEYS: contains an empty key'],
    [{ STOREPORT_TIMEZONE: 'Mars/Olympus' }, 'STOREPORT_TIMEZONE: must be an IANA time zone'],
    [{ STOREPORT_PUBLIC_URL: 'ftp://x' }, 'STOREPORT_PUBLIC_URL: must be an http(s) URL'],
    [{ STOREPORT_STORE: 'mysql://user:secret-word@127.0.0.1/shop' }, 'STOREPORT_STORE: must be'],
    [{ STOREPORT_STORE: 'postgres://user:secret-word@127.0.0.1:1/shop' }, 'STOREPORT_STORE: '],
    [{ STOREPORT_RETRIES: 'maybe' }, 'STOREPORT_RETRIES: must be on or off'],
    [{ STOREPORT_BILLING: 'maybe' }, 'STOREPORT_BILLING: must be on or off'],
    [{ STOREPORT_CURRENCY: 'usd' }, 'STOREPORT_CURRENCY: must be an ISO 4217 code in capital letters'],
  ])('rejects %j with a clear message and exit code 1', async (env, message) => {
    const data = await dataFolder()
    const ended = await run({ PORT: '0', STOREPORT_DATA: data, STOREPORT_STORE: 'memory', ...env }).exited
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toContain(`storeport: ${message}`)
    expect(ended.stderr).not.toContain('secret-word')
    expect(ended.stderr.trim().split('\n')).toHaveLength(1)
  })

  it.each<[string[], string]>([
    [['--port', '70000'], '--port: must be a whole number from 0 to 65535, not "70000"'],
    [['--today=2026-02-30'], '--today: must be a calendar date YYYY-MM-DD, not "2026-02-30"'],
    [['--vendor', 'Acme Mail'], '--vendor: must be'],
    [['--data', '/dev/null/folder'], '--data: /dev/null/folder is a file or is inside a file.'],
    [['seed', '--custmers', '5'], "seed: Unknown option '--custmers'. Did you mean --customers?"],
    ...['bill', 'reset', 'seed --customers 5'].map((words): [string[], string] => {
      const command = words.split(' ')
      return [[...command, '--store', 'memory'], `${command[0]}: --store must be a database, not memory`]
    }),
    [['--stor', 'memory'], "Unknown option '--stor'. Did you mean --store?"],
    [['--colour', 'red'], "Unknown option '--colour'. Run storeport --help to list the options."],
    [['reser'], "Unknown command 'reser'. Did you mean reset? The commands are serve, "],
    [['toString'], "Unknown command 'toString'. The commands are serve, "],
  ])('names the option that the user typed in the error message: %j', async (args, message) => {
    const ended = await run({ STOREPORT_DATA: await dataFolder(), PORT: '0' }, args).exited
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toContain(`storeport: ${message}`)
  })

  it('adds generated customers to a database, and requires --customers', async () => {
    const env = { STOREPORT_DATA: await dataFolder() }
    const seeded = await run(env, ['seed', '--customers', '50']).exited
    expect([seeded.code, seeded.stdout.trim().split('\n').at(-1)]).toEqual([0, '50 of 50 customers'])
    expect((await run(env, ['seed']).exited).stderr).toContain('storeport: seed: --customers must be')
  })

  it('ends without an error message if the reader of its output ends', async () => {
    const { child, exited } = run({}, ['--help'])
    child.stdout?.destroy()
    expect(await exited).toMatchObject({ code: 0, stderr: '' })
  })

  it('prints a help text and a version', async () => {
    expect((await run({}, ['--help']).exited).stdout).toContain('Usage: storeport')
    expect((await run({}, ['--version']).exited).stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/)
  })
})
