import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { readResourceUsage, resourceUsageArgs } from '@storeport/testing/resource-usage'
import { expect, it, onTestFinished } from 'vitest'
import { isNightly } from './is-nightly.ts'
import { emailOf, key } from './shops/shop.ts'

const requests = isNightly ? 1_000_000 : 20_000
const connections = 4

it(
  `does not leak memory in the host over ${requests.toLocaleString('en')} requests`,
  { timeout: isNightly ? 3_600_000 : 120_000 },
  async () => {
    const host = await startSoakHost()
    const callers = await Promise.all(Array.from({ length: connections }, (_, index) => createCaller(host.port, index)))
    const sendHalf = () => Promise.all(callers.map((caller) => caller.send(requests / 2 / connections)))

    await sendHalf()
    const middle = await host.readResourceUsage()
    await sendHalf()
    const end = await host.readResourceUsage()

    const statuses = new Set(callers.flatMap((caller) => [...caller.statuses]))
    expect([...statuses].toSorted()).toEqual(['200', '400', '401', '404', '405', '415'])
    expect(end.bytes / middle.bytes).toBeLessThan(1.05)
    expect(end.resources).toBeLessThanOrEqual(middle.resources + 5)
  },
)

/** Runs the host in a process that collects garbage on request. Discards the host's log. */
async function startSoakHost() {
  const child = fork(join(import.meta.dirname, 'soak-host.ts'), [], {
    cwd: resolve(import.meta.dirname, '../..'),
    execArgv: resourceUsageArgs,
    env: { NODE_ENV: 'test', PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [url]: unknown[] = await once(child, 'message')
  return { port: Number(new URL(String(url)).port), readResourceUsage: () => readResourceUsage(child) }
}

/** Creates a client that pipelines every kind of request. Each client uses a different customer. */
async function createCaller(port: number, index: number) {
  const email = emailOf(index)
  const validKey = `X-Integration-API-Key: ${key}\r\n`
  const get = (path: string, headers = validKey) => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
  const post = (path: string, body: unknown, headers = validKey) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const lines = `Host: a\r\n${headers}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`
    return `POST /integration${path} HTTP/1.1\r\n${lines}\r\n${text}`
  }
  const beans = { email, product_id: 'beans' }
  const delay = { email, new_date: '2099-01-31' }
  const item = { email, current_item_id: `item_${index}` }
  const reads = [
    get('/integration/upsells/products'),
    get(`/integration/upsells/products?email=${email}`),
    get(`/integration/customer-portal/subscription?email=${email}`),
    get(`/integration/reactivate/cancelled-subscriptions?email=${email}`),
    get('/integration/discounts/get-discount?discount_code=NONE'),
    get('/integration/nothing'),
    get('/integration/customer-portal/delay'),
    get('/integration/upsells/products', `${validKey}X-Integration-Test-Mode: true\r\n`),
    get('/healthz'),
    get('/metrics'),
    post('/upsells/add-product', '{"email":'),
    post('/upsells/add-product', { email: 'nobody@shop.example', product_id: 'beans' }),
    post('/upsells/add-product', beans, `${validKey}Content-Type: text/plain\r\n`),
  ]
  // A change and the change that reverts it must be in different batches.
  const turns = [
    [post('/upsells/add-product', beans), post('/upsells/add-product', beans)],
    [post('/upsells/undo-add-product', beans)],
    [post('/customer-portal/swap-product', { ...item, new_product_id: 'beans' })],
    [post('/customer-portal/swap-product', { ...item, new_product_id: 'filters' })],
    [post('/customer-portal/delay', delay), post('/customer-portal/send-now', { email })],
  ]
  const statuses = new Set<string>()
  const caller = await openCaller(port, '127.0.0.1', statuses)
  // StorePort delays responses to a client that sends many invalid keys, so a separate client sends the invalid keys.
  const guesser = await openCaller(port, '127.0.0.2', statuses)

  async function send(count: number): Promise<void> {
    for (let sent = 0, turn = 0; sent < count; turn += 1) {
      // Nightly runs send enough named clicks to fill the ledger in the first half.
      const named = Array.from({ length: isNightly ? 3 : 0 }, () =>
        post('/customer-portal/delay', delay, `${validKey}Idempotency-Key: ${crypto.randomUUID()}\r\n`),
      )
      const batch = [...reads, ...(turns[turn % turns.length] ?? []), ...named]
      await caller(batch)
      // Limits the number of invalid keys, so that StorePort does not delay the responses.
      if (turn < 20)
        await guesser([get('/integration/upsells/products', 'X-Integration-API-Key: a-wrong-key-of-the-tests\r\n')])
      sent += batch.length + 1
    }
  }
  return { send, statuses }
}

/** Opens a connection that sends a batch of requests and waits for the same number of responses. */
async function openCaller(port: number, localAddress: string, statuses: Set<string>) {
  const socket: Socket = connect({ port, host: '127.0.0.1', localAddress })
  await once(socket, 'connect')
  onTestFinished(() => void socket.destroy())
  let rejectBatch = (_reason: Error) => {}
  socket.once('close', () => rejectBatch(new Error('The host closed the connection.')))
  return (requestTexts: readonly string[]) =>
    new Promise<void>((complete, fail) => {
      rejectBatch = fail
      let received = ''
      const receive = (data: Buffer) => {
        received += data.toString('latin1')
        const statusLines = [...received.matchAll(/HTTP\/1\.1 (\d+) /g)]
        if (statusLines.length < requestTexts.length || !received.endsWith('}')) return
        for (const [, status = ''] of statusLines) statuses.add(status)
        socket.off('data', receive)
        complete()
      }
      socket.on('data', receive)
      socket.write(requestTexts.join(''))
    })
}
