import { describe, expect, it } from 'vitest'
import { commentProfile, parseJsonc } from '../../src/profile/profile.ts'
import { readSettings } from '../../src/cli/settings.ts'
import { parseProfile, seedProfile } from '../../src/index.ts'

const url = 'https://shop.example'
const env = { STOREPORT_API_KEY: 'from-the-environment' }

describe('readSettings', () => {
  it('returns the default settings', () => {
    expect(readSettings([url], env)).toEqual({
      task: 'check',
      url,
      apiKey: 'from-the-environment',
      names: {},
      testData: { codes: [] },
      mode: 'default',
      only: [],
      skip: [],
      testMode: false,
      strict: false,
      outputs: [],
      timeoutMs: 10_000,
      totalTimeoutMs: 1_800_000,
    })
  })

  it('reads options in any order, with values after a space or an equals sign', () => {
    const chosen = ['--only=getDiscount', '--skip', 'routing.rejects-dots, emails.are-trimmed']
    const words = ['--key=the-first-key', '--only', 'sendNow, AUTH-1', url, '--stress', ...chosen, '--timeout', '2.5']
    expect(readSettings(words, { ...env, STOREPORT_SECOND_API_KEY: 'the-second-key\n' })).toMatchObject({
      url,
      apiKey: 'the-first-key',
      secondApiKey: 'the-second-key',
      only: ['sendNow', 'AUTH-1', 'getDiscount'],
      skip: ['routing.rejects-dots', 'emails.are-trimmed'],
      mode: 'stress',
      timeoutMs: 2500,
    })
  })

  it.each([
    [['--json', url], [{ form: 'json', file: '-' }]],
    [[url, '--json'], [{ form: 'json', file: '-' }]],
    [[url, '--json', 'r.json'], [{ form: 'json', file: 'r.json' }]],
    [['--junit', '-', url], [{ form: 'junit', file: '-' }]],
    [
      ['--junit', 'r.xml', url, '--json=-'],
      [{ form: 'json' }, { form: 'junit', file: 'r.xml' }],
    ],
  ])('reads report options from %j', (words, outputs) => {
    expect(readSettings(words, env)).toMatchObject({ outputs, url })
  })

  it.each([
    [['http://127.0.0.1:3000', '--seed', '7'], { seed: 7 }],
    [[url, '--explore', '--seed=7'], { seed: 7 }],
    [['http://localhost:3000'], { seed: expect.any(Number) }],
    [['http://localhost:3000', '--read-only'], undefined],
    [[url], undefined],
  ])('reads the settings of the exploration from %j', (words, explore) => {
    expect(readSettings(words, env)).toMatchObject({ explore })
  })

  it('reads --time-zone, --interval and --framework', () => {
    const words = [url, '--time-zone', 'Asia/Tokyo', '--interval', '2weeks', '--framework', 'fastify']
    expect(readSettings(words, env)).toMatchObject({
      testData: { timeZone: 'Asia/Tokyo', interval: { weeks: 2 } },
      framework: 'fastify',
    })
    expect(readSettings([url, '--interval', '1month'], env)).toMatchObject({ testData: { interval: { months: 1 } } })
  })

  it.each([
    [[], "The shop's URL is missing"],
    [[url, '--time-zone', 'Mars'], '--time-zone: must be an IANA time zone name'],
    [[url, '--interval', 'monthly'], '--interval: must be a number of months or weeks'],
    [[url, '--framework', 'django'], '--framework: must be next, express, hono, nginx, fastify, worker, caddy, php'],
    [['--explain', 'AUTH-99'], '--explain: no requirement or check has the id "AUTH-99"'],
    [['shop.example'], '"shop.example": a URL must start with http:// or https://'],
    [['https://'], 'is not a valid URL'],
    [['https://a:b@shop.example'], 'must not contain a user name or password'],
    [[`${url}/?x=1`], 'must not contain ? or #'],
    [[url, url], 'Only one URL is allowed'],
    [[url, '--what'], "Unknown option '--what'"],
    [[url, '--profil', 'x'], "Unknown option '--profil'. Did you mean --profile?"],
    [[url, '--only'], "Option '--only <value>' argument missing"],
    [[url, '--skip', 'routing.rejects-dot'], '--skip: no check has the id "routing.rejects-dot". Run --list'],
    [[url, '--only', 'sendnow'], '--only: no check, topic or requirement is named "sendnow"'],
    [[url, '--strict=yes'], "Option '--strict' does not take an argument"],
    [[url, '--read-only', '--stress'], '--read-only and --stress cannot be combined'],
    [[url, '--customer', 'nobody'], '--customer: "nobody" is not an email address'],
    [[url, '--customer', 'a@b.example', '--other-customer', 'A@b.example'], 'must be two different customers'],
    [[url, '--json', '--junit'], 'Only one report can use standard output'],
    [[`${url}/from-the-environment`], 'The URL must not contain the API key'],
    [[`${url}/a%2Bother%2Bkey`, '--key', 'a+other+key'], 'The URL must not contain the API key'],
    [[url, '--html', 'r.html'], "Unknown option '--html'"],
    [[url, '--timeout', '0'], '--timeout: must be a number of seconds'],
    [[url, '--total-timeout', 'long'], '--total-timeout: must be a number of seconds'],
    [[url, '--vendor', 'Acme Mail'], '--vendor: must be lowercase letters'],
    [[url, '--base-path', 'x'], '--base-path: '],
    [[url, '--api-key-header', 'X Key'], '--api-key-header: '],
    [[url, '--key', 'schlüssel'], '--key: a key must contain only visible ASCII characters'],
    [[url, '--key', 'k'], '--key: a key must have at least 8 characters'],
    [[url, '--second-key', 'a\nb'], '--second-key: a key must contain only visible ASCII characters'],
  ])('rejects %j', (words, message) => {
    expect(() => readSettings(words, env)).toThrow(message)
  })

  it('does not print an argument that may be the key', () => {
    expect(() => readSettings([url, 'secret-key'], env)).toThrow(/^(?!.*secret-key)Only one URL/)
  })

  it('reads the URL from STOREPORT_URL if no argument is a URL', () => {
    const addressed = { ...env, STOREPORT_URL: 'http://127.0.0.1:3000/' }
    expect(readSettings([], addressed)).toMatchObject({ url: 'http://127.0.0.1:3000' })
    expect(readSettings([url], addressed)).toMatchObject({ url })
  })

  it('reads custom names and removes the base path from the URL', () => {
    const words = ['--vendor', 'acme-mail', '--base-path=/api/v1', '--api-key-header', 'X-Shop-Key']
    const names = { vendor: 'acme-mail', basePath: '/api/v1', apiKeyHeader: 'X-Shop-Key' }
    expect(readSettings([`${url}/api/v1/`, ...words], env)).toMatchObject({ url, names })
  })

  it('rejects a missing API key', () => {
    expect(() => readSettings([url], {})).toThrow('The API key is missing. Set STOREPORT_API_KEY or use --key')
    expect(() => readSettings([url, '--key', ' '], env)).toThrow('The API key is missing')
  })
})

describe('parseJsonc', () => {
  it('reads comments and trailing commas', () => {
    const text = '\uFEFF{ // one\n "a": "x // y /* z", /* two\n lines */ "b": [1, 2,], "c": "\\",}", }'
    expect(parseJsonc(text)).toEqual({ a: 'x // y /* z', b: [1, 2], c: '",}' })
  })

  it.each([
    ['{\n\n  "a": }', 3],
    ['{\n "a": 1', 2],
    ['', 1],
  ])('reports the line of the error in %j', (text, line) => {
    expect(() => parseJsonc(text)).toThrow(`is not valid JSON at line ${line}`)
  })
})

it('formats the seed profile as JSONC that parses to the same profile', () => {
  expect(parseProfile(parseJsonc(commentProfile(seedProfile, seedProfile)))).toEqual(seedProfile)
})

it('writes each missing field of a profile as a comment with an example', () => {
  const { recommended: _, interval: __, ...others } = seedProfile
  const found = parseProfile({ ...others, customers: {}, products: {}, subscriptions: {}, discounts: {}, actions: {} })
  const text = commentProfile(found, seedProfile)
  expect(text).toContain('// A sold-out product.\n    // "unavailable": "test_00000",\n')
  expect(parseProfile(parseJsonc(text))).toEqual(found)
  const examples = text.replace('"listed": [],', '"listed": [{ "id": "a", "price": 1 }],').replaceAll('// "', '"')
  expect(parseProfile(parseJsonc(examples))).toEqual({
    ...seedProfile,
    products: { ...seedProfile.products, listed: [{ id: 'a', price: 1 }] },
  })
})
