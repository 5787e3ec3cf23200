import { spawn } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { seedProfile } from '../../src/index.ts'
import { apiKey, command, shopListener, startFaultyShop, startServer, startShop } from './command.ts'

const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
const unused = 'http://127.0.0.1:1'

it('writes JSON and JUnit reports that do not contain the API key', async () => {
  const files = ['r.json', 'r.xml'].map((name) => join(folder, name))
  const words = ['--json', files[0] ?? '', `--junit=${files[1]}`]
  const { code, out } = await command([await startFaultyShop(), ...words, '--read-only'])
  expect(code).toBe(1)
  expect(out).toContain('NOT CONFORMING')
  const [json = '', xml = ''] = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  expect(JSON.parse(json)).toMatchObject({ verdict: 'NOT CONFORMING', mode: 'read-only', problem: null })
  expect(xml).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites /)
  expect(xml).toContain('<failure type="')
  expect(xml).toContain('<property name="verdict" value="NOT CONFORMING"/>')
  expect(json + xml).not.toContain(apiKey)
})

it('writes the text report to standard error if JSON uses standard output', async () => {
  const { code, out, err } = await command([await startFaultyShop(), '--json', '--only', 'HEADER-3'])
  expect(JSON.parse(out)).toMatchObject({ counts: { passed: 0, failed: 0, warnings: 2, skipped: 0 } })
  expect(err).toContain('2 warnings')
  expect(code).toBe(0)
})

it.each([
  ['{\n  // a comment\n  "customers": {]\n}', 'is not valid JSON at line 3'],
  ['{ "customer": {} }', 'profile: must not contain customer'],
  [undefined, 'cannot be read'],
])('rejects the profile %j', async (text, message) => {
  const file = join(folder, text === undefined ? 'none.jsonc' : 'profile.jsonc')
  if (text !== undefined) await writeFile(file, text)
  expect((await command([unused, '--profile', file])).err).toContain(message)
})

it('exits with 2 if a report file cannot be written', async () => {
  const words = ['--only', 'HEADER-3', '--junit', '/no/such/folder/r.xml']
  const { code, err } = await command([await startShop(), ...words])
  expect(code).toBe(2)
  expect(err).toContain('--junit: the file /no/such/folder/r.xml cannot be written')
})

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
  const words = [await startShop(), '--json', '--only', 'getDiscount']
  // If CI is set, picocolors assumes that every output supports colors.
  const { code, out, err } = await program(words, { STOREPORT_API_KEY: apiKey, CI: 'true' })
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
