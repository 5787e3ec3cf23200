import { expect, it } from 'vitest'
import { readServerSettings } from '../src/index.ts'

const [one, two, three] = ['first-key-of-the-tests', 'second-key-of-the-tests', 'third-key-of-the-tests']
const defaults = { port: 3000, host: '127.0.0.1', apiKeys: [], trustedProxies: 0, log: 'info' }

it.each([
  [
    { PORT: '0', HOST: '::1', STOREPORT_API_KEY: one, STOREPORT_TRUST_PROXY: '2', STOREPORT_LOG: 'warn' },
    { port: 0, host: '::1', apiKeys: [one], trustedProxies: 2, log: 'warn' },
  ],
  [{}, {}],
  [{ PORT: '', HOST: '', STOREPORT_TRUST_PROXY: '', STOREPORT_LOG: '' }, {}],
  [{ STOREPORT_API_KEYS: ` ${one} , ${two}` }, { apiKeys: [one, two] }],
  [{ STOREPORT_API_KEY: three, STOREPORT_API_KEYS: `${one},${two}` }, { apiKeys: [three, one, two] }],
  [{ STOREPORT_API_KEY: one, STOREPORT_API_KEYS: `${one},${two}` }, { apiKeys: [one, two] }],
  [{ STOREPORT_API_KEY: one, STOREPORT_API_KEYS: '' }, { apiKeys: [one] }],
])('reads the variables %j', (env, settings) => {
  expect(readServerSettings(env)).toEqual({ ...defaults, ...settings })
})

it.each([
  [{ STOREPORT_API_KEY: '' }, 'STOREPORT_API_KEY: is empty'],
  [{ STOREPORT_API_KEY: ' ', STOREPORT_API_KEYS: two }, 'STOREPORT_API_KEY: is empty'],
  [{ STOREPORT_API_KEYS: '' }, 'STOREPORT_API_KEYS: contains an empty key'],
  [{ STOREPORT_API_KEY: one, STOREPORT_API_KEYS: `${two},` }, 'STOREPORT_API_KEYS: contains an empty key'],
  [{ STOREPORT_API_KEY: `${one},${two}` }, 'STOREPORT_API_KEY: contains a comma. Set several keys in'],
  [{ STOREPORT_API_KEY: 'short' }, 'STOREPORT_API_KEY: a key must have at least 16 characters'],
  [{ STOREPORT_API_KEY: one, STOREPORT_API_KEYS: 'short' }, 'STOREPORT_API_KEYS: a key must have at least'],
  [{ PORT: 'http' }, 'PORT: must be a whole number from 0 to 65535, not "http"'],
  [{ PORT: '70000' }, 'PORT: must be a whole number from 0 to 65535, not "70000"'],
  [{ STOREPORT_TRUST_PROXY: 'yes' }, 'STOREPORT_TRUST_PROXY: must be a whole number from 0 to 99, not "yes"'],
  [{ STOREPORT_LOG: 'loud' }, 'STOREPORT_LOG: must be one of trace, debug, info, warn, error, fatal, silent, not'],
])('rejects the variables %j', (env, message) => {
  expect(() => readServerSettings(env)).toThrow(message)
})
