import { describe, expect, it } from 'vitest'
import { commentProfile, parseJsonc } from '../../src/profile/profile.ts'
import { readSettings } from '../../src/cli/settings.ts'
import { parseProfile, seedProfile } from '../../src/index.ts'

const url = 'https://shop.example'
const env = { STOREPORT_API_KEY: 'from-the-environment' }

describe('readSettings', () => {
  it('takes the defaults', () => {
    expect(readSettings([url], env)).toEqual({
      task: 'check',
      url,
      apiKey: 'from-the-environment',
      names: {},
      told: { codes: [] },
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

  it('takes options in any order, with a space or an equals sign', () => {
    const chosen = ['--only=getDiscount', '--skip', 'routing.refuses-dots, emails.are-trimmed']
    const words = ['--key=a-key', '--only', 'sendNow, AUTH-1', url, '--stress', ...chosen, '--timeout', '2.5']
    expect(readSettings(words, { ...env, STOREPORT_SECOND_API_KEY: 'second\n' })).toMatchObject({
      url,
      apiKey: 'a-key',
      secondApiKey: 'second',
      only: ['sendNow', 'AUTH-1', 'getDiscount'],
      skip: ['routing.refuses-dots', 'emails.are-trimmed'],
      mode: 'stress',
      timeoutMs: 2500,
    })
  })

  it.each([
    [['--json', url], [{ form: 'json', file: '-' }]],
    [[url, '--json'], [{ form: 'json', file: '-' }]],
    [[url, '--json', 'r.json'], [{ form: 'json', file: 'r.json' }]],
    [['--html', '-', url], [{ form: 'html', file: '-' }]],
    [
      ['--html', 'r.html', url, '--junit=-'],
      [{ form: 'junit' }, { form: 'html', file: 'r.html' }],
    ],
  ])('takes %j for reports', (words, outputs) => {
    expect(readSettings(words, env)).toMatchObject({ outputs, url })
  })

  it.each([
    [[], 'which address?'],
    [['shop.example'], '"shop.example": an address starts with http:// or https://'],
    [['https://'], 'is no address'],
    [['https://a:b@shop.example'], 'no user name and no password'],
    [[`${url}/?x=1`], 'must hold no ? and no #'],
    [[url, url], 'one address at a time'],
    [[url, '--what'], "Unknown option '--what'"],
    [[url, '--only'], "Option '--only <value>' argument missing"],
    [[url, '--skip', 'routing.refuses-dot'], '--skip: no check has the id "routing.refuses-dot"; --list shows them'],
    [[url, '--only', 'sendnow'], '--only: no check, topic or requirement is called "sendnow"'],
    [[url, '--strict=yes'], "Option '--strict' does not take an argument"],
    [[url, '--read-only', '--stress'], 'choose one of them'],
    [[url, '--customer', 'nobody'], '--customer: "nobody" is no email address'],
    [[url, '--customer', 'a@b.example', '--other-customer', 'A@b.example'], 'must be two customers'],
    [[url, '--json', '--html'], 'only one of them can go to standard output'],
    [[url, '--timeout', '0'], '--timeout: must be a number of seconds'],
    [[url, '--total-timeout', 'long'], '--total-timeout: must be a number of seconds'],
    [[url, '--vendor', 'Acme Mail'], '--vendor: must be lower-case letters'],
    [[url, '--base-path', 'x'], '--base-path: '],
    [[url, '--api-key-header', 'X Key'], '--api-key-header: '],
    [[url, '--key', 'schlüssel'], '--key: a key must consist of visible ASCII characters'],
    [[url, '--second-key', 'a\nb'], '--second-key: a key must consist of visible ASCII characters'],
  ])('refuses %j', (words, message) => {
    expect(() => readSettings(words, env)).toThrow(message)
  })

  it('takes the address from STOREPORT_URL unless one is given', () => {
    const addressed = { ...env, STOREPORT_URL: 'http://127.0.0.1:3000/' }
    expect(readSettings([], addressed)).toMatchObject({ url: 'http://127.0.0.1:3000' })
    expect(readSettings([url], addressed)).toMatchObject({ url })
  })

  it('takes the names of the caller, and the whole address of the API for that of the shop', () => {
    const words = ['--vendor', 'acme-mail', '--base-path=/api/v1', '--api-key-header', 'X-Shop-Key']
    const names = { vendor: 'acme-mail', basePath: '/api/v1', apiKeyHeader: 'X-Shop-Key' }
    expect(readSettings([`${url}/api/v1/`, ...words], env)).toMatchObject({ url, names })
  })

  it('asks for the key', () => {
    expect(() => readSettings([url], {})).toThrow('which API key? Set STOREPORT_API_KEY, or give --key')
    expect(() => readSettings([url, '--key', ' '], env)).toThrow('which API key?')
  })
})

describe('parseJsonc', () => {
  it('reads comments and commas that JSON does not have', () => {
    const text = '\uFEFF{ // one\n "a": "x // y /* z", /* two\n lines */ "b": [1, 2,], "c": "\\",}", }'
    expect(parseJsonc(text)).toEqual({ a: 'x // y /* z', b: [1, 2], c: '",}' })
  })

  it.each([
    ['{\n\n  "a": }', 3],
    ['{\n "a": 1', 2],
    ['', 1],
  ])('names the line of %j', (text, line) => {
    expect(() => parseJsonc(text)).toThrow(`is no JSON from line ${line} on`)
  })
})

it('the profile of --init is that of the reference host', () => {
  expect(parseProfile(parseJsonc(commentProfile(seedProfile)))).toEqual(seedProfile)
})
