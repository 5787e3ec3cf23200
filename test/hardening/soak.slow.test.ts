import { sendByHttp } from '@storeport/conformance'
import { readResourceUsage, resourceUsageArgs } from '@storeport/testing/resource-usage'
import { key } from '@storeport/testing/send'
import { hostForTest } from '@storeport/testing/start-host-process'
import { expect, it, onTestFinished } from 'vitest'

const requests = 20_000
const emails = ['subscription@example.com', 'another@example.com', 'cancelled@example.com', 'test@example.com']

type Message = readonly [method: string, path: string, body?: string, headers?: string]

/** Returns one customer's requests of every kind. Each turn reverts a change of an earlier turn. */
function messagesOf(email: string, turn: number): readonly Message[] {
  const post = (path: string, fields: object): Message => {
    return ['POST', `/integration${path}`, JSON.stringify({ email, ...fields })]
  }
  const grinder = { product_id: 'test_54321' }
  const delay = { new_date: '2099-01-31' }
  const swap = '/customer-portal/swap-product'
  const changes = [
    [post('/upsells/add-product', grinder), post('/upsells/add-product', grinder)],
    [post('/upsells/undo-add-product', grinder)],
    [post(swap, { current_item_id: 'test_12345', new_product_id: 'test_67890' })],
    [post(swap, { current_item_id: 'test_67890', new_product_id: 'test_12345' })],
    [post('/customer-portal/delay', delay), post('/customer-portal/send-now', {})],
  ]
  return [
    ['GET', `/integration/upsells/products?email=${email}`],
    ['GET', `/integration/customer-portal/subscription?email=${email}`],
    ['GET', '/integration/upsells/products', '', 'X-Integration-Test-Mode: true\r\n'],
    ['GET', '/integration/nothing'],
    ['GET', '/integration/customer-portal/delay'],
    ['GET', '/healthz'],
    ['POST', '/integration/upsells/add-product', '{"email":'],
    ...(changes[turn % changes.length] ?? []),
  ]
}

function toText([method, path, body = '', headers = '']: Message): string {
  const start = `${method} ${path} HTTP/1.1\r\nHost: a\r\nX-Integration-API-Key: ${key}\r\n${headers}`
  return `${start}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

it('does not leak memory in the host over 20,000 requests', { timeout: 120_000 }, async () => {
  const env = { STOREPORT_STORE: 'memory', STOREPORT_TODAY: '2026-03-10', STOREPORT_PLAYGROUND: 'off' }
  const host = await hostForTest(env, resourceUsageArgs)
  const { connect = expect.unreachable } = sendByHttp(host.url)
  const connections = await Promise.all(emails.map(async (email) => ({ email, connection: await connect() })))
  onTestFinished(() => connections.forEach(({ connection }) => connection.destroy()))
  const statuses = new Set<number | undefined>()
  const sendHalf = () =>
    Promise.all(
      connections.map(async ({ email, connection }) => {
        for (let sent = 0, turn = 0; sent < requests / 2 / emails.length; turn += 1) {
          const batch = messagesOf(email, turn)
          connection.write(batch.map(toText).join(''))
          for (const [method] of batch) statuses.add((await connection.read(method))?.status)
          sent += batch.length
        }
      }),
    )

  await sendHalf()
  const middle = await readResourceUsage(host.child)
  await sendHalf()
  const end = await readResourceUsage(host.child)
  expect([...statuses].toSorted()).toEqual([200, 400, 404, 405])
  expect(end.bytes / middle.bytes).toBeLessThan(1.05)
  expect(end.resources).toBeLessThanOrEqual(middle.resources + 5)
})
