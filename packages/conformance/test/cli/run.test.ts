import { spawn } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMemoryStore } from '@storeport/store-memory'
import { describe, expect, it } from 'vitest'
import { seedProfile } from '../../src/index.ts'
import { apiKey, command, shopListener, startServer, startShop } from './command.ts'

/** Starts a shop whose `getDiscount` fails and whose responses lack the header `X-Content-Type-Options`. */
function faultyShop() {
  const getDiscount = () => Promise.reject(new Error('no such table'))
  const shop = shopListener({ ...createMemoryStore(), getDiscount })
  return startServer((req, res) => {
    const { writeHead } = res
    res.writeHead = (...args: unknown[]) => {
      const headers = args.at(-1)
      if (typeof headers === 'object' && headers !== null) Reflect.deleteProperty(headers, 'X-Content-Type-Options')
      return Reflect.apply(writeHead, res, args)
    }
    shop(req, res)
  })
}

describe('a run against a correct shop', () => {
  it('passes the selected checks and exits with 0', async () => {
    const url = await startShop()
    const { code, out, err } = await command([url, '--only', 'getDiscount,getSubscription'])
    expect(code).toBe(0)
    expect(err).toMatch(/^http.*\/integration: \d+ checks …\n$/)
    expect(out).toContain(`${url}/integration\n`)
    expect(out).toContain('The email platform will show 9 of 9 widgets and buttons.')
    expect(out).toMatch(/\n {2}\d+ passed {2}/)
    expect(out).toContain('A run of selected checks has no verdict')
  })

  it('accepts a URL with a path before the base path', async () => {
    const shop = shopListener()
    const url = await startServer((req, res) => {
      if (req.url?.startsWith('/shop/api/') !== true) return void res.writeHead(404).end()
      req.url = req.url.slice('/shop/api'.length)
      shop(req, res)
    })
    const { code, out } = await command([`${url}/shop/api/`, '--only', 'routing,getDiscount'])
    expect(out).toContain(`${url}/shop/api/integration\n`)
    expect(out).toMatch(/\n {2}\d+ passed {2}/)
    expect(code).toBe(0)
  })

  it('lists the buttons that are hidden because endpoints are missing', async () => {
    const { undoAddProduct: _undo, runCustomAction: _action, ...store } = createMemoryStore()
    const url = await startShop(store)
    const { code, out } = await command([url, '--only', 'undoAddProduct,getDiscount'])
    expect(code).toBe(0)
    expect(out).toContain('hidden: Undo button (not offered: undoAddProduct)')
    expect(out).toContain('hidden: Custom action buttons (not offered: runCustomAction)')
    expect(out).toMatch(/\d+ skipped: the shop does not offer undoAddProduct/)
  })

  it('uses a profile without customers if the shop does not have the seed data', async () => {
    const products = [{ id: 'beans', title: 'Beans', price: 9, images: ['https://shop.example/1.jpg'] }]
    const url = await startShop({ listProducts: async () => ({ products }), getDiscount: async () => null })
    const { code, out } = await command([url, '--stress'])
    expect(out).toContain("test data: no customers, because the shop does not have the reference host's seed data")
    expect(out).not.toContain('✗ listProducts')
    expect(out).toMatch(/\n {2}INCOMPLETE {2}http/)
    expect(out).toContain('Required: --code CODE, a valid discount code.')
    expect(code).toBe(3)
  })
})

describe('a run against a shop with defects', () => {
  it('exits with 1 and reports how to fix each failure', async () => {
    const { code, out } = await command([await faultyShop(), '--only', 'getDiscount,responses'])
    expect(code).toBe(1)
    expect(out).toMatch(/\n {2}\d+ passed, \d+ failed, \d+ warnings/)
    expect(out).toContain('Failed requirements: DISCOUNT-1.')
    const from = out.indexOf('✗ 1. ')
    expect(out.slice(from).split('\n').slice(0, 4)).toEqual([
      expect.stringMatching(
        /^✗ 1\. {2}The server threw an exception\. Check its log\. {2}getDiscount\.\S+ and \d+ other checks$/,
      ),
      expect.stringMatching(
        /^ {6}request {6}curl -i 'http:.*discount_code=TEST10' -H "X-Integration-API-Key: \$STOREPORT_API_KEY"$/,
      ),
      expect.stringMatching(/^ {6}response {5}500 \{"success":false,"error":\{"code":"internal_error"/),
      expect.stringMatching(/^ {6}requirement {2}DISCOUNT-1 \(specification\): The data has `discount_type`/),
    ])
    expect(out).toContain('The curl commands read the key from $STOREPORT_API_KEY.')
    expect(out).not.toContain(apiKey)
  })

  it('exits with 0 for warnings, or with 1 if --strict is set', async () => {
    const url = await faultyShop()
    const lenient = await command([url, '--only', 'HEADER-3'])
    expect(lenient.out).toMatch(/! 1\. {2}.* responses\.are-not-sniffed[^]* HEADER-3 \(StorePort recommendation\): /)
    expect(lenient.code).toBe(0)
    const strict = await command([url, '--only', 'HEADER-3', '--strict'])
    expect(strict.out).toMatch(/✗ 1\. {2}.* responses\.are-not-sniffed/)
    expect(strict.code).toBe(1)
  })

  it('writes JSON and JUnit reports that do not contain the API key', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
    const file = (name: string) => join(folder, name)
    const words = ['--json', file('r.json'), `--junit=${file('r.xml')}`]
    const { code, out } = await command([await faultyShop(), ...words, '--read-only'])
    expect(code).toBe(1)
    expect(out).toContain('NOT CONFORMING')
    const texts = await Promise.all(['r.json', 'r.xml'].map((name) => readFile(file(name), 'utf8')))
    const [json, xml] = texts
    const report: unknown = JSON.parse(json ?? '')
    expect(report).toMatchObject({ verdict: 'NOT CONFORMING', mode: 'read-only', problem: null })
    expect(xml).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites /)
    expect(xml).toContain('<failure type="')
    expect(xml).toContain('<property name="verdict" value="NOT CONFORMING"/>')
    for (const text of texts) expect(text).not.toContain(apiKey)
  })

  it('writes the text report to standard error if JSON uses standard output', async () => {
    const { code, out, err } = await command([await faultyShop(), '--json', '--only', 'HEADER-3'])
    expect(JSON.parse(out)).toMatchObject({ counts: { passed: 0, failed: 0, warnings: 2, skipped: 0 } })
    expect(err).toContain('2 warnings')
    expect(code).toBe(0)
  })
})

describe('a profile', () => {
  it('is rejected with an error that names the invalid field or line', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
    const file = join(folder, 'profile.jsonc')
    const url = 'http://127.0.0.1:1'
    expect((await command([url, '--profile', file])).err).toContain('cannot be read')
    await writeFile(file, '{\n  // a comment\n  "customers": {]\n}')
    expect((await command([url, '--profile', file])).err).toContain('is not valid JSON at line 3')
    await writeFile(file, '{ "customer": {} }')
    expect((await command([url, '--profile', file])).err).toContain('profile: must not contain customer')
  })
})

describe('the command', () => {
  it.each([
    [
      ['--help'],
      /^.*\n\nExamples:\n( {2}storeport-conformance .*\n){3}[^]*Exit codes:\n {2}0  READY, or READ-ONLY: NO FAILURES\n/,
    ],
    [['--help'], /^(?:.{0,100}\n)+$/],
    [['--version'], /^\d+\.\d+\.\d+\n$/],
    [
      ['--list', '--read-only', '--only', 'HEADER-3'],
      /^responses\.are-not-sniffed +should +read-only +Every response has .* \[HEADER-3\]\n\n1 check\n$/,
    ],
    [
      ['--explain', 'add-8'],
      /^ADD-8 \(StorePort recommendation\): Adding an .*[^]*\n  addProduct\.rejects-invalid-requests: /,
    ],
    [['--explain', 'addProduct.rejects-invalid-requests'], /^ADD-\d+ /],
    [['--explain', 'RETRY-1'], /\nrisk +A click takes effect twice\.\n/],
  ])('prints text without a key or a URL: %j', async (words, text) => {
    expect(await command(words, { env: {} })).toEqual({ code: 0, out: expect.stringMatching(text), err: '' })
  })

  it.each([
    [
      ['--framework', 'caddy', '--only', 'HTTP-3,HTTP-1'],
      '4 skipped: excluded by --framework caddy',
      '--framework caddy',
    ],
    [['--framework', 'php', '--only', 'HTTP-5,HTTP-3'], '1 skipped: php -S reads the whole body', ' · --framework php'],
    [['--test-mode', '--only', 'HTTP-11'], '1 skipped: excluded by --test-mode', ''],
    [['--framework', 'fastify', '--only', 'ROUTE-9'], '1 skipped: Fastify itself responds to malformed', 'fastify'],
  ])('prints why a check is skipped: %s', async (words, reason, header) => {
    const { out } = await command([await startShop(), ...words])
    expect(out).toContain(reason)
    expect(out).toContain(header)
  })

  it('exits with 2 if a report file cannot be written', async () => {
    const url = await startShop()
    const { code, err } = await command([url, '--only', 'HEADER-3', '--junit', '/no/such/folder/r.xml'])
    expect(code).toBe(2)
    expect(err).toContain('--junit: the file /no/such/folder/r.xml cannot be written')
  })
})

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

async function program(words: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...words], { env: { ...process.env, ...env } })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (err += chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { code, out, err }
}

it('reads the API key from the environment if started as a program', async () => {
  const url = await startShop()
  const { code, out, err } = await program([url, '--json', '--only', 'getDiscount'], {
    STOREPORT_API_KEY: apiKey,
    // If CI is set, picocolors assumes that every output supports colors.
    CI: 'true',
  })
  expect(JSON.parse(out)).toMatchObject({ verdict: null, counts: { failed: 0 } })
  expect(err).toContain('A run of selected checks has no verdict')
  expect(out + err).not.toContain('\u001b')
  expect(code).toBe(0)
})

it('exits with 2 for invalid arguments', async () => {
  const { code, err } = await program(['--nonsense'], {})
  expect(err).toBe("storeport-conformance: Unknown option '--nonsense'\nSee storeport-conformance --help.\n")
  expect(code).toBe(2)
})

it('reports changes that an interrupted run did not undo', async () => {
  const interrupt = new AbortController()
  const shop = shopListener()
  let delays = 0
  const url = await startServer((req, res) => {
    // The first request detects the endpoint, the second delays the subscription, and the third interrupts the run.
    if (req.url?.endsWith('/delay') === true && ++delays === 3) interrupt.abort()
    shop(req, res)
  })
  const words = [url, '--only', 'delaySubscription.moves-the-date,delaySubscription.accepts-the-same-date']
  const { code, out } = await command(words, { interrupt: interrupt.signal })
  expect(code).toBe(2)
  const { otherCustomer = '' } = seedProfile.customers
  expect(out).toContain('the run was interrupted')
  expect(out).toContain(`Remaining change: ${otherCustomer}: the current subscription changed from `)
})

it('reports no remaining changes if the run undid its changes', async () => {
  const { code, out } = await command([await startShop(), '--only', 'addProduct.adds-a-new-product'])
  expect(code).toBe(0)
  expect(out).not.toContain('Remaining change')
})
