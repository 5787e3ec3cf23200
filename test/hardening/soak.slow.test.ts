import { sendByHttp } from '@storeport/conformance'
import { readResourceUsage, resourceUsageArgs } from '@storeport/testing/resource-usage'
import { dataFolder, startHostProcess } from '@storeport/testing/start-host-process'
import { expect, it, onTestFinished } from 'vitest'
import type { HostileRequest } from './hostile-values.ts'
import { isNightly } from './is-nightly.ts'
import { key } from './send-request.ts'

const requests = isNightly ? 1_000_000 : 20_000
const emails = ['subscription@example.com', 'another@example.com', 'cancelled@example.com', 'test@example.com']

it(
  `does not leak memory in the host over ${requests.toLocaleString('en')} requests`,
  { timeout: isNightly ? 3_600_000 : 120_000 },
  async () => {
    const host = await startHostProcess(
      {
        STOREPORT_DATA: await dataFolder(),
        STOREPORT_API_KEYS: key,
        STOREPORT_STORE: 'memory',
        STOREPORT_TODAY: '2026-03-10',
        STOREPORT_PLAYGROUND: 'off',
        STOREPORT_METRICS: '127.0.0.1:0',
      },
      [],
      resourceUsageArgs,
    )
    onTestFinished(() => void host.child.kill('SIGKILL'))
    const { connect = expect.unreachable } = sendByHttp(host.url)
    const connections = await Promise.all(emails.map(async (email) => ({ email, connection: await connect() })))
    onTestFinished(() => connections.forEach(({ connection }) => connection.destroy()))
    const statuses = new Set<number | undefined>()
    const sendHalf = () =>
      Promise.all(
        connections.map(async ({ email, connection }) => {
          for (let sent = 0, turn = 0; sent < requests / 2 / emails.length; turn += 1) {
            const batch = requestsOf(email, turn)
            connection.write(batch.map(toText).join(''))
            for (const { method = 'POST' } of batch) statuses.add((await connection.read(method))?.status)
            sent += batch.length
          }
        }),
      )

    await sendHalf()
    const middle = await readResourceUsage(host.child)
    await sendHalf()
    const end = await readResourceUsage(host.child)

    expect([...statuses].toSorted()).toEqual([200, 400, 401, 404, 405, 415])
    expect(end.bytes / middle.bytes).toBeLessThan(1.05)
    expect(end.resources).toBeLessThanOrEqual(middle.resources + 5)
  },
)

function toText({ method = 'POST', path, headers, body = '' }: HostileRequest): string {
  const known = { host: 'a', 'x-integration-api-key': key, 'content-type': 'application/json' }
  const lines = Object.entries({ ...known, 'content-length': body.length, ...headers })
  return `${method} ${path} HTTP/1.1\r\n${lines.map((line) => `${line.join(': ')}\r\n`).join('')}\r\n${String(body)}`
}

/**
 * Returns one customer's requests of every kind, to be pipelined on one connection. Each turn reverts a change of an
 * earlier turn.
 */
function requestsOf(email: string, turn: number): readonly HostileRequest[] {
  const post = (path: string, fields: object, headers = {}) => ({
    path: `/integration${path}`,
    headers,
    body: JSON.stringify({ email, ...fields }),
  })
  const grinder = { product_id: 'test_54321' }
  const delay = { new_date: '2099-01-31' }
  const changes = [
    [post('/upsells/add-product', grinder), post('/upsells/add-product', grinder)],
    [post('/upsells/undo-add-product', grinder)],
    [post('/customer-portal/swap-product', { current_item_id: 'test_12345', new_product_id: 'test_67890' })],
    [post('/customer-portal/swap-product', { current_item_id: 'test_67890', new_product_id: 'test_12345' })],
    [post('/customer-portal/delay', delay), post('/customer-portal/send-now', {})],
  ]
  const reads: readonly HostileRequest[] = [
    '/integration/upsells/products',
    `/integration/upsells/products?email=${email}`,
    `/integration/customer-portal/subscription?email=${email}`,
    `/integration/reactivate/cancelled-subscriptions?email=${email}`,
    '/integration/discounts/get-discount?discount_code=NONE',
    '/integration/nothing',
    '/integration/customer-portal/delay',
    '/healthz',
    '/metrics',
  ].map((path) => ({ method: 'GET', path }))
  // Nightly runs send enough named clicks to fill the ledger in the first half of the run.
  const named = Array.from({ length: isNightly ? 3 : 0 }, () =>
    post('/customer-portal/delay', delay, { 'idempotency-key': crypto.randomUUID() }),
  )
  return [
    ...reads,
    { method: 'GET', path: '/integration/upsells/products', headers: { 'x-integration-test-mode': 'true' } },
    { path: '/integration/upsells/add-product', body: '{"email":' },
    post('/upsells/add-product', grinder, { 'content-type': 'text/plain' }),
    ...(changes[turn % changes.length] ?? []),
    ...named,
    // Sends only a few invalid keys, because StorePort delays responses to a client that sends many.
    ...(turn < 5
      ? [post('/upsells/add-product', grinder, { 'x-integration-api-key': 'a-wrong-key-of-the-tests' })]
      : []),
  ]
}
