import { expect, test } from 'vitest'
import { createIntegration } from '@storeport/core'
import { keys } from '@storeport/testing/keys'
import { toNodeListener } from '../src/index.ts'
import { collectStrayErrors } from '@storeport/testing/stray-errors'
import { listening, parsedAnswer, rawClient, seam } from './support.ts'

test('passes headers under their lowercase names, with repeated headers joined', async () => {
  const { port } = await listening(
    toNodeListener(
      seam(async (call) => ({
        body: JSON.stringify(['x-one', 'set-cookie', 'accept', 'missing', 'constructor'].map(call.header)),
      })),
    ),
  )
  const raw = await rawClient(
    port,
    'GET /integration HTTP/1.1\r\nHost: a\r\nX-One: 1\r\nx-oNe: 2\r\nSet-Cookie: a=b\r\nSet-Cookie: c=d\r\nAccept: x\r\nConnection: close\r\n\r\n',
  ).ended()
  expect(JSON.parse(parsedAnswer(raw).body)).toEqual(['1, 2', 'a=b, c=d', 'x', null, null])
})

test('passes an error to next if the response cannot be written, or returns 500 without next', async () => {
  const broken = toNodeListener({
    owns: () => true,
    answer: async () => ({ status: 200, headers: { 'X-Broken': 'a\nb' }, body: '{}' }),
  })
  const inFramework = await listening((req, res) => broken(req, res, (error) => res.end(JSON.stringify(`${error}`))))
  expect(await (await fetch(inFramework.url)).text()).toContain('Invalid character in header')
  const alone = await listening(broken)
  const response = await fetch(alone.url)
  expect(response.status).toBe(500)
  expect(await response.json()).toMatchObject({ error: { code: 'internal_error' } })
})

test('writes nothing if a response has already started', async () => {
  const stray = collectStrayErrors()
  const listener = toNodeListener(seam(async () => ({})))
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
    apiKeys: [keys.first],
    observe: async (_request, run) => {
      const done = await run()
      observed.push(JSON.parse(done.answer.body).error.message)
      return done
    },
  })
  const listener = toNodeListener(integration)
  const { url } = await listening((req, res) => listener(req, res, () => res.end('the next handler')))
  const get = async (path: string, key: string) =>
    (await fetch(`${url}${path}`, { headers: { 'x-integration-api-key': key } })).text()
  for (const [path, key] of [
    ['/upsells/products', keys.first],
    ['/upsells/products', 'a-wrong-key-of-20-characters'],
    ['/upsells/other', keys.first],
  ] as const)
    expect(await get(path, key)).toBe('the next handler')
  const message = 'No endpoint at this path. Start the path with the prefix: /integration/upsells/products'
  await expect.poll(() => observed).toEqual([message])
})
