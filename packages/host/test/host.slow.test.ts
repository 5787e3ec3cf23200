import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dataFolder, run, startHostProcess } from '@storeport/testing/start-host-process'

const key = 'a-key-of-the-tests-0001'

describe('a first start', () => {
  let host: Awaited<ReturnType<typeof startHostProcess>>
  let data: string
  beforeAll(async () => {
    data = await dataFolder()
    host = await startHostProcess({ STOREPORT_DATA: data, STOREPORT_STORE: 'memory' })
  })
  afterAll(() => host.child.kill('SIGKILL'))

  it('makes a key, shows it once and keeps it where only its owner can read it', async () => {
    const kept = (await readFile(join(data, 'api-key'), 'utf8')).trim()
    expect(kept).toMatch(/^[\w-]{32}$/)
    expect(host.output.stdout.split(kept)).toHaveLength(2)
    expect((await stat(join(data, 'api-key'))).mode & 0o777).toBe(0o600)
  })

  it('says what the caller will show', () => {
    for (const widget of ['Upsell products', 'Delay Subscription button', 'Send Now button', 'Reactivation list']) {
      expect(host.output.stdout).toContain(`✓ ${widget}`)
    }
    expect(host.output.stdout).not.toContain('✗')
  })

  it('prints three curl lines that work when they are pasted', async () => {
    const lines = host.output.stdout.split('\n').filter((line) => line.includes('curl '))
    expect(lines).toHaveLength(3)
    for (const line of lines) {
      const { stdout } = await promisify(execFile)('bash', ['-c', line.replace('curl ', 'curl -sS ')])
      expect(stdout).toMatch(/^\{"success":true/)
    }
  })

  it('serves the pictures that its products name', async () => {
    const kept = (await readFile(join(data, 'api-key'), 'utf8')).trim()
    const listed = await fetch(`${host.url}/integration/upsells/products`, {
      headers: { 'x-integration-api-key': kept },
    })
    const { data: listing } = JSON.parse(await listed.text())
    expect(listing.products).toHaveLength(3)
    for (const { images } of listing.products) {
      expect(images[0]).toContain(`${host.url}/images/`)
      const image = await fetch(images[0])
      expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
      expect(await image.text()).toContain('<svg')
    }
  })

  it.each([
    ['/healthz', 200],
    ['/readyz', 200],
    ['/nothing', 404],
    ['/images/../package.json', 404],
    ['/images/nothing.svg', 404],
  ])('answers %s with %i', async (path, status) => {
    expect((await fetch(host.url + path)).status).toBe(status)
  })

  it('takes the key it kept at the next start, and does not show it again', async () => {
    const second = await startHostProcess({ STOREPORT_DATA: data, STOREPORT_STORE: 'memory' })
    const kept = (await readFile(join(data, 'api-key'), 'utf8')).trim()
    expect(second.output.stdout).not.toContain(kept)
    const headers = { 'x-integration-api-key': kept }
    expect((await fetch(`${second.url}/integration/upsells/products`, { headers })).status).toBe(200)
    second.child.kill('SIGTERM')
    expect(await second.exited).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('settings', () => {
  it('reads them from the environment, and from flags first', async () => {
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
    const answered = await fetch(host.url + path, { headers: { 'x-acme-mail-api-key': key } })
    const { data } = JSON.parse(await answered.text())
    expect(data.next_billing_date).toBe('2026-01-15')
    expect(data.items[0].images[0]).toBe('https://cdn.example/images/test_12345.svg')
    expect(host.output.stdout).not.toContain(key)
    host.child.kill('SIGINT')
    expect((await host.exited).code).toBe(0)
  })

  it.each([
    [{ PORT: '70000' }, 'PORT: must be'],
    [{ STOREPORT_API_KEYS: '' }, 'STOREPORT_API_KEYS: is set but holds an empty key'],
    [{ STOREPORT_API_KEYS: 'short' }, 'apiKeys: a key must have at least 16 characters'],
    [{ STOREPORT_TODAY: '2026-02-30' }, 'STOREPORT_TODAY: must be a date'],
    [{ STOREPORT_TIMEZONE: 'Mars/Olympus' }, 'STOREPORT_TIMEZONE: must be the name of a time zone'],
    [{ STOREPORT_PUBLIC_URL: 'ftp://x' }, 'STOREPORT_PUBLIC_URL: must be an http(s) address'],
    [{ STOREPORT_STORE: 'mongodb://x' }, 'STOREPORT_STORE: must be'],
    [{ STOREPORT_VENDOR: 'Acme Mail' }, 'vendor: must be'],
    [{ STOREPORT_RETRIES: 'maybe' }, 'STOREPORT_RETRIES: must be'],
    [{ STOREPORT_BILLING: 'maybe' }, 'STOREPORT_BILLING: must be on or off'],
    [{ STOREPORT_CURRENCY: 'usd' }, 'STOREPORT_CURRENCY: must be a code of ISO 4217 in capital letters, such as USD'],
    [{ STOREPORT_DATA: '/dev/null/folder' }, 'STOREPORT_DATA: '],
  ])('refuses %j with a clear message and exit code 1', async (env, message) => {
    const data = await dataFolder()
    const ended = await run({ PORT: '0', STOREPORT_DATA: data, STOREPORT_STORE: 'memory', ...env }).exited
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toContain(`storeport: ${message}`)
    expect(ended.stderr.trim().split('\n')).toHaveLength(1)
  })

  it('refuses a flag that does not exist, and a port that is taken', async () => {
    const STOREPORT_DATA = await dataFolder()
    expect((await run({ STOREPORT_DATA }, ['--prot', '1']).exited).stderr).toMatch(
      /^storeport: Unknown option '--prot'/,
    )
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((listening) => taken.once('listening', listening))
    const address = taken.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const ended = await run({ STOREPORT_DATA, STOREPORT_STORE: 'memory', PORT: String(port) }).exited
    expect(ended.stderr).toContain(`port ${port} is in use`)
    taken.close()
  })

  it('has help and a version', async () => {
    expect((await run({}, ['--help']).exited).stdout).toContain('--api-keys, STOREPORT_API_KEYS')
    expect((await run({}, ['--version']).exited).stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/)
  })
})
