import { spawn } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMemoryStore } from '@storeport/store-memory'
import { describe, expect, it } from 'vitest'
import { seedProfile } from '../../src/index.ts'
import { apiKey, command, shopListener, startServer, startShop } from './command.ts'

/** A shop whose discounts are wrong, and one of whose headers is missing. */
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

describe('a shop that is right', () => {
  it('is READY, exit code 0', async () => {
    const url = await startShop()
    const { code, out, err } = await command([url, '--only', 'getDiscount,getSubscription'])
    expect(code).toBe(0)
    expect(err).toMatch(/^http.*\/integration: \d+ checks …\n$/)
    expect(out).toContain(`${url}/integration\n`)
    expect(out).toContain('✓ Delay Subscription button')
    expect(out).toMatch(/\n {2}\d+ passed\n/)
    expect(out).toContain('Chosen checks give no verdict')
  })

  it('may be anywhere below a prefix', async () => {
    const shop = shopListener()
    const url = await startServer((req, res) => {
      if (req.url?.startsWith('/shop/api/') !== true) return void res.writeHead(404).end()
      req.url = req.url.slice('/shop/api'.length)
      shop(req, res)
    })
    const { code, out } = await command([`${url}/shop/api/`, '--only', 'routing,getDiscount'])
    expect(out).toContain(`${url}/shop/api/integration\n`)
    expect(out).toMatch(/\n {2}\d+ passed\n/)
    expect(code).toBe(0)
  })

  it('may leave endpoints out: the report says what the caller hides', async () => {
    const { undoAddProduct: _undo, runCustomAction: _action, ...store } = createMemoryStore()
    const url = await startShop(store)
    const { code, out } = await command([url, '--only', 'undoAddProduct,getDiscount'])
    expect(code).toBe(0)
    expect(out).toContain('✗ Undo button  hidden: undoAddProduct is not offered')
    expect(out).toContain('✗ Custom action buttons  hidden: runCustomAction is not offered')
    expect(out).toMatch(/\d+ skipped: the shop does not offer undoAddProduct/)
  })

  it('without the test data of the reference host is checked without any', async () => {
    const products = [{ id: 'beans', title: 'Beans', price: 9, images: ['https://shop.example/1.jpg'] }]
    const url = await startShop({ listProducts: async () => ({ products }), getDiscount: async () => null })
    const { code, out } = await command([url, '--stress'])
    expect(out).toContain('test data: no customers, since the shop has not those of the reference host')
    expect(out).not.toContain('✗ listProducts')
    expect(out).toMatch(/\n {2}INCOMPLETE {2}\d+ passed/)
    expect(out).toContain('It takes --code CODE, a discount code that is valid.')
    expect(code).toBe(3)
  })
})

describe('a shop that is wrong', () => {
  it('has exit code 1, with everything that helps to fix it', async () => {
    const { code, out } = await command([await faultyShop(), '--only', 'getDiscount,answers'])
    expect(code).toBe(1)
    expect(out).toMatch(/\n {2}\d+ passed, \d+ failed, \d+ warnings/)
    expect(out).toContain('What does not hold: DISCOUNT-1.')
    const from = out.indexOf('✗ getDiscount.answers-with-a-discount')
    expect(out.slice(from).split('\n').slice(0, 8)).toEqual([
      '✗ getDiscount.answers-with-a-discount',
      '      A discount has its type and one amount, a number.',
      expect.stringMatching(
        /^ {6}call {7}curl -i 'http:.*discount_code=TEST10' -H "X-Integration-API-Key: \$STOREPORT_API_KEY"$/,
      ),
      expect.stringMatching(/^ {6}came back {2}500 \{"success":false,"error":\{"code":"internal_error"/),
      '      expected   status 200',
      expect.stringMatching(/^ {6}says so {4}DISCOUNT-1, specified: discounts: The answer has `discount_type`/),
      '      because    The email promised a reduction: one that is missing, or taken twice, is a complaint.',
      '      usually    An exception: the log of the server tells which one.',
    ])
    expect(out).toContain('The curl lines take the key from $STOREPORT_API_KEY.')
    expect(out).not.toContain(apiKey)
  })

  it('with warnings alone has exit code 0, and 1 with --strict', async () => {
    const url = await faultyShop()
    const lenient = await command([url, '--only', 'HEADER-3'])
    expect(lenient.out).toContain('! answers.are-not-sniffed')
    expect(lenient.code).toBe(0)
    const strict = await command([url, '--only', 'HEADER-3', '--strict'])
    expect(strict.out).toContain('✗ answers.are-not-sniffed')
    expect(strict.code).toBe(1)
  })

  it('is reported as JSON, JUnit and HTML, none of which holds the key', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
    const file = (name: string) => join(folder, name)
    const words = ['--json', file('r.json'), `--junit=${file('r.xml')}`, '--html', file('r.html')]
    const { code, out } = await command([await faultyShop(), ...words, '--read-only'])
    expect(code).toBe(1)
    expect(out).toContain('NOT CONFORMING')
    const texts = await Promise.all(['r.json', 'r.xml', 'r.html'].map((name) => readFile(file(name), 'utf8')))
    const [json, xml, html] = texts
    const report: unknown = JSON.parse(json ?? '')
    expect(report).toMatchObject({ verdict: 'NOT CONFORMING', mode: 'read-only', problem: null })
    expect(xml).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites /)
    expect(xml).toContain('<failure type="')
    expect(xml).toContain('<property name="verdict" value="NOT CONFORMING"/>')
    expect(html).toContain('<span class="verdict not-conforming">NOT CONFORMING</span>')
    for (const text of texts) expect(text).not.toContain(apiKey)
  })

  it('is reported to machines on standard output, and to people on standard error', async () => {
    const { code, out, err } = await command([await faultyShop(), '--json', '--only', 'HEADER-3'])
    expect(JSON.parse(out)).toMatchObject({ counts: { passed: 0, failed: 0, warnings: 2, skipped: 0 } })
    expect(err).toContain('2 warnings')
    expect(code).toBe(0)
  })
})

describe('a profile', () => {
  it('is written with --init, never over a file, and read with --profile', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
    const file = join(folder, 'profile.jsonc')
    expect(await command(['--init', file])).toMatchObject({ code: 0, err: '' })
    const again = await command(['--init', file])
    expect(again.code).toBe(2)
    expect(again.err).toContain('is there already')
    const url = await startShop()
    const { code, out } = await command([url, '--profile', file, '--only', 'getDiscount'])
    expect(code).toBe(0)
    expect(out).toContain(`test data: ${file}`)
  })

  it('that is wrong is reported with its fields and lines', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
    const file = join(folder, 'profile.jsonc')
    const url = 'http://127.0.0.1:1'
    expect((await command([url, '--profile', file])).err).toContain('cannot be read')
    await writeFile(file, '{\n  // a comment\n  "customers": {]\n}')
    expect((await command([url, '--profile', file])).err).toContain('is no JSON from line 3 on')
    await writeFile(file, '{ "customer": {} }')
    expect((await command([url, '--profile', file])).err).toContain('profile: must not hold customer')
  })
})

describe('without a shop', () => {
  it('tells help, version and the list of checks', async () => {
    const help = await command(['--help'], { env: {} })
    expect(help.out).toMatch(/Exit codes: 0 READY or NOT\nTRIED .* 1 NOT CONFORMING, 2 NOT CHECKED, 3 INCOMPLETE/)
    expect((await command(['--version'], { env: {} })).out).toMatch(/^\d+\.\d+\.\d+\n$/)
    const { code, out } = await command(['--list', '--read-only', '--only', 'HEADER-3'], { env: {} })
    expect(code).toBe(0)
    expect(out).toMatch(/^answers\.are-not-sniffed +should +read-only +Every answer has .* \[HEADER-3\]\n\n1 check\n$/)
  })

  it('tells a file that cannot be written', async () => {
    const url = await startShop()
    const { code, err } = await command([url, '--only', 'HEADER-3', '--html', '/no/such/folder/r.html'])
    expect(code).toBe(2)
    expect(err).toContain('--html: the file /no/such/folder/r.html cannot be written')
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

it('is a command: key from the environment, report on standard output, exit code', async () => {
  const url = await startShop()
  const { code, out, err } = await program([url, '--json', '--only', 'getDiscount'], {
    STOREPORT_API_KEY: apiKey,
    // Where CI is set, picocolors takes every output for one that shows colors.
    CI: 'true',
  })
  expect(JSON.parse(out)).toMatchObject({ verdict: null, counts: { failed: 0 } })
  expect(err).toContain('Chosen checks give no verdict')
  expect(out + err).not.toContain('\u001b')
  expect(code).toBe(0)
})

it('ends with 2 when its words are wrong', async () => {
  const { code, err } = await program(['--nonsense'], {})
  expect(err).toBe("storeport-conformance: Unknown option '--nonsense'\nSee storeport-conformance --help.\n")
  expect(code).toBe(2)
})

it('a run that is interrupted tells what it has changed by then', async () => {
  const interrupt = new AbortController()
  const shop = shopListener()
  let delays = 0
  const url = await startServer((req, res) => {
    // One that finds out whether it is offered, one that delays, and one more.
    if (req.url?.endsWith('/delay') === true && ++delays === 3) interrupt.abort()
    shop(req, res)
  })
  const words = [url, '--only', 'delaySubscription.moves-the-date,delaySubscription.accepts-the-same-date']
  const { code, out } = await command(words, { interrupt: interrupt.signal })
  expect(code).toBe(2)
  const { otherCustomer = '' } = seedProfile.customers
  expect(out).toContain('it was interrupted')
  expect(out).toContain(`Left changed: ${otherCustomer}: the current subscription is `)
})

it('a run that undoes what it did left nothing changed', async () => {
  const { code, out } = await command([await startShop(), '--only', 'addProduct'])
  expect(code).toBe(0)
  expect(out).not.toContain('Left changed')
})
