import { createIntegration } from '@storeport/core'
import { describe, expect, it } from 'vitest'
import { openKeys } from '../src/settings/secrets.ts'
import { makeFromSettings, readSettings } from '../src/settings/settings.ts'

const [one, two, three] = ['first-key-of-the-tests', 'second-key-of-the-tests', 'third-key-of-the-tests']

describe('API keys', () => {
  it.each([
    [{}, undefined],
    [{ STOREPORT_API_KEY: one }, [one]],
    [{ STOREPORT_API_KEYS: ` ${one} , ${two}` }, [one, two]],
    [{ STOREPORT_API_KEY: three, STOREPORT_API_KEYS: `${one},${two}` }, [three, one, two]],
    [{ STOREPORT_API_KEY: one, STOREPORT_API_KEYS: `${one},${two}` }, [one, two]],
  ])('are read from both variables: %j', (env, keys) => {
    expect(readSettings([], env).apiKeys).toEqual(keys)
  })

  it('from --api-keys replace the keys from both variables', () => {
    expect(readSettings(['--api-keys', three], { STOREPORT_API_KEY: one, STOREPORT_API_KEYS: two }).apiKeys).toEqual([
      three,
    ])
  })

  it.each([
    [{ STOREPORT_API_KEY: '' }, /^STOREPORT_API_KEY: is empty/],
    [{ STOREPORT_API_KEY: ' ', STOREPORT_API_KEYS: two }, /^STOREPORT_API_KEY: is empty/],
    [{ STOREPORT_API_KEY: one, STOREPORT_API_KEYS: '' }, /^STOREPORT_API_KEYS: contains an empty key/],
    [
      { STOREPORT_API_KEY: `${one},${two}` },
      /^STOREPORT_API_KEY: contains a comma. Set several keys in STOREPORT_API_KEYS/,
    ],
  ])('are rejected if a variable is invalid: %j', (env, message) => {
    expect(() => readSettings([], env)).toThrow(message)
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

describe('an API key that is too short', () => {
  it.each([
    [[], { STOREPORT_API_KEY: 'short' }, 'STOREPORT_API_KEY: a key must'],
    [[], { STOREPORT_API_KEYS: 'short' }, 'STOREPORT_API_KEYS: a key must'],
    [
      [],
      { STOREPORT_API_KEY: one, STOREPORT_API_KEYS: 'short' },
      'STOREPORT_API_KEY and STOREPORT_API_KEYS: a key must',
    ],
    [['--api-keys', 'short'], { STOREPORT_API_KEY: one }, '--api-keys: a key must'],
  ])('from options %j or variables %j is reported with the name of its source', (args, env, message) => {
    const settings = readSettings(args, env)
    const make = () => createIntegration({ store: {}, apiKeys: settings.apiKeys ?? [] })
    expect(() => makeFromSettings(settings, make)).toThrow(message)
  })
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
