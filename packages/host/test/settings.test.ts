import { describe, expect, it } from 'vitest'
import { help } from '../src/help.ts'
import { openKeys } from '../src/settings/secrets.ts'
import { nameTypedOptions, readSettings } from '../src/settings/settings.ts'
import { send } from '@storeport/testing/send'
import { openHost } from './open-host.ts'

const [one, two, three] = ['first-key-of-the-tests', 'second-key-of-the-tests', 'third-key-of-the-tests']

describe('API keys', () => {
  it('from --api-keys replace the keys from both variables', () => {
    expect(readSettings(['--api-keys', three], { STOREPORT_API_KEY: one, STOREPORT_API_KEYS: two }).apiKeys).toEqual([
      three,
    ])
  })

  it.each([
    [[], { STOREPORT_API_KEY: one, STOREPORT_API_KEYS: two }, '$STOREPORT_API_KEY'],
    [[], { STOREPORT_API_KEYS: two }, '${STOREPORT_API_KEYS%%,*}'],
    [['--api-keys', one], { STOREPORT_API_KEY: two }, 'YOUR_API_KEY'],
  ])('from options %j or variables %j appear in the printed commands as %s', async (args, env, words) => {
    const { apiKeys, apiKeyVariable } = readSettings(args, env)
    expect((await openKeys(apiKeys, 'no-folder', apiKeyVariable)).shellWords).toBe(words)
  })
})

it('rejects an API key that is too short, with the name of its source', () => {
  const args = ['--api-keys', 'short']
  expect(() => readSettings(args, { STOREPORT_API_KEY: one })).toThrow('STOREPORT_API_KEYS: a key must')
  expect(nameTypedOptions('STOREPORT_API_KEYS: a key must', args)).toBe('--api-keys: a key must')
})

it('applies two identical requests twice with STOREPORT_RETRIES set to off', async () => {
  const { url, seeded } = await openHost({ STOREPORT_RETRIES: 'off' })
  const body = { email: 'subscription@example.com', product_id: 'test_54321' }
  for (let sent = 0; sent < 2; sent += 1)
    expect((await send(url, '/integration/upsells/add-product', { body })).status).toBe(200)
  expect(seeded.account('subscription@example.com')?.adds).toHaveLength(2)
})

describe('an unknown variable', () => {
  it.each([
    ['STOREPORT_APIKEY', 'STOREPORT_APIKEY is not a setting. Did you mean STOREPORT_API_KEY?'],
    ['STOREPORT_BILING', 'STOREPORT_BILING is not a setting. Did you mean STOREPORT_BILLING?'],
    ['STOREPORT_FOO', 'STOREPORT_FOO is not a setting.'],
  ])('%s causes a warning', (name, warning) => {
    expect(readSettings([], { [name]: 'a value' }).warnings).toEqual([warning])
  })

  it('causes no warning if another command uses the variable', () => {
    const env = { STOREPORT_URL: 'http://127.0.0.1', STOREPORT_SECOND_API_KEY: one, STOREPORT_DATA: 'data', PATH: '/' }
    expect(readSettings([], env).warnings).toEqual([])
  })
})

it.each([
  ['history', ['history EMAIL', '--failed'], '--trust-proxy'],
  ['playground', ['playground --url URL', '--profile'], 'erase EMAIL'],
  ['serve', ['serve ', '--trust-proxy'], 'erase EMAIL'],
  ['no-command', ['options]\n\nExamples:\n', 'erase EMAIL', '--trust-proxy', '--profile', '-h, --help'], 'undefined'],
])('prints the help of the command %s', (command, included, excluded) => {
  for (const text of included) expect(help(command)).toContain(text)
  expect(help(command)).not.toContain(excluded)
  expect(
    help(command)
      .split('\n')
      .filter((line) => line.length > 100),
  ).toEqual([])
})
