import { expect, test } from 'vitest'
import { createIntegration } from '@storeport/core'
import { collectStrayErrors } from '@storeport/testing/stray-errors'
import { splitTarget } from '../src/respond.ts'
import { toNodeListener } from '../src/index.ts'
import { get, key, listening, rawClient, seam } from './support.ts'

test('passes headers under their lowercase names, with repeated headers joined', async () => {
  const names = ['x-one', 'set-cookie', 'accept', 'missing', 'constructor']
  const { port } = await listening(
    toNodeListener(seam(async (call) => ({ body: JSON.stringify(names.map(call.header)) }))),
  )
  const lines = ['X-One: 1', 'x-oNe: 2', 'Set-Cookie: a=b', 'Set-Cookie: c=d', 'Accept: x', 'Connection: close', '']
  const { body } = await rawClient(port, get('', lines.join('\r\n'))).answer()
  expect(JSON.parse(body)).toEqual(['1, 2', 'a=b, c=d', 'x', null, null])
})

test('passes an error to next if the response cannot be written, or returns 500 without next', async () => {
  const broken = toNodeListener(seam(async () => ({ headers: { 'X-Broken': 'a\nb' } })))
  const inFramework = await listening((req, res) => broken(req, res, (error) => res.end(JSON.stringify(`${error}`))))
  expect(await (await fetch(`${inFramework.url}/integration`)).text()).toContain('Invalid character in header')
  const alone = await listening(broken)
  const response = await fetch(alone.url)
  expect([response.status, await response.json()]).toMatchObject([500, { error: { code: 'internal_error' } }])
})

test('writes nothing if a response has already started', async () => {
  const stray = collectStrayErrors()
  const listener = toNodeListener(seam(async () => {}))
  const { url } = await listening((req, res) => {
    res.writeHead(503)
    res.write('bu')
    listener(req, res)
    setImmediate(() => res.end('sy'))
  })
  const response = await fetch(`${url}/integration`)
  expect([response.status, await response.text()]).toEqual([503, 'busy'])
  expect(stray).toEqual([])
})

test('passes a path without the prefix to next, and observes its correction only for a valid key', async () => {
  const observed: unknown[] = []
  const integration = createIntegration({
    store: {},
    apiKeys: [key],
    observe: async (_request, run) => {
      const done = await run()
      observed.push(JSON.parse(done.answer.body).error.message)
      return done
    },
  })
  const listener = toNodeListener(integration)
  const { url } = await listening((req, res) => listener(req, res, () => res.end('the next handler')))
  for (const [path, sent] of [
    ['/upsells/products', key],
    ['/upsells/products', 'a-wrong-key-of-20-characters'],
    ['/upsells/other', key],
  ] as const) {
    const response = await fetch(`${url}${path}`, { headers: { 'x-integration-api-key': sent } })
    expect(await response.text()).toBe('the next handler')
  }
  const message = 'No endpoint at this path. Start the path with the prefix: /integration/upsells/products'
  await expect.poll(() => observed).toEqual([message])
})

test.each([
  ['/a?email=x@example.com', '/a', 'email=x@example.com'],
  ['/a?', '/a', ''],
  ['/a?b?c', '/a', 'b?c'],
  ['//a/../%61', '//a/../%61', ''],
  ['*', '*', ''],
  ['', '', ''],
  ['HTTPS://shop.example:80/a/b?c=d', '/a/b', 'c=d'],
  ['http://shop.example', '/', ''],
  ['http://shop.example?c=d', '/', 'c=d'],
  ['http://shop.example//a', '//a', ''],
  ['ftp://shop.example/a', 'ftp://shop.example/a', ''],
])('splits %j into the path %j and the query %j', (target, path, query) => {
  expect(splitTarget(target)).toEqual({ path, query })
})
