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
  `the memory of the host is flat over ${requests.toLocaleString('en')} requests`,
  { timeout: isNightly ? 3_600_000 : 120_000 },
  async () => {
    const host = await startSoakHost()
    const callers = await Promise.all(Array.from({ length: connections }, (_, index) => createCaller(host.port, index)))
    const sendHalf = () => Promise.all(callers.map((caller) => caller.send(requests / 2 / connections)))

    await sendHalf()
    const middle = await host.held()
    await sendHalf()
    const end = await host.held()

    const statuses = new Set(callers.flatMap((caller) => [...caller.statuses]))
    expect([...statuses].toSorted()).toEqual(['200', '400', '401', '404', '405', '415'])
    expect(end.bytes / middle.bytes).toBeLessThan(1.05)
    expect(end.resources).toBeLessThanOrEqual(middle.resources + 5)
  },
)

/** Runs the host in a process that collects its garbage on request; what it logs goes nowhere. */
async function startSoakHost() {
  const child = fork(join(import.meta.dirname, 'soak-host.ts'), [], {
    cwd: resolve(import.meta.dirname, '../..'),
    execArgv: resourceUsageArgs,
    env: { NODE_ENV: 'test', PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [url]: unknown[] = await once(child, 'message')
  return { port: Number(new URL(String(url)).port), held: () => readResourceUsage(child) }
}

/** Sends every kind of call over one connection, many at a time; a customer of its own keeps the callers apart. */
async function createCaller(port: number, index: number) {
  const email = emailOf(index)
  const right = `X-Integration-API-Key: ${key}\r\n`
  const get = (path: string, headers = right) => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
  const post = (path: string, body: unknown, headers = right) => {
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
    get('/integration/upsells/products', `${right}X-Integration-Test-Mode: true\r\n`),
    get('/healthz'),
    get('/metrics'),
    post('/upsells/add-product', '{"email":'),
    post('/upsells/add-product', { email: 'nobody@shop.example', product_id: 'beans' }),
    post('/upsells/add-product', beans, `${right}Content-Type: text/plain\r\n`),
  ]
  // What the second changes back must not be sent together with what the first changes.
  const turns = [
    [post('/upsells/add-product', beans), post('/upsells/add-product', beans)],
    [post('/upsells/undo-add-product', beans)],
    [post('/customer-portal/swap-product', { ...item, new_product_id: 'beans' })],
    [post('/customer-portal/swap-product', { ...item, new_product_id: 'filters' })],
    [post('/customer-portal/delay', delay), post('/customer-portal/send-now', { email })],
  ]
  const statuses = new Set<string>()
  const caller = await openCaller(port, '127.0.0.1', statuses)
  // A client that sends many wrong keys waits for its answers, so they come from a client of their own.
  const guesser = await openCaller(port, '127.0.0.2', statuses)

  async function send(count: number): Promise<void> {
    for (let sent = 0, turn = 0; sent < count; turn += 1) {
      // By night, so many clicks with a name that the ledger is full before the middle.
      const named = Array.from({ length: isNightly ? 3 : 0 }, () =>
        post('/customer-portal/delay', delay, `${right}Idempotency-Key: ${crypto.randomUUID()}\r\n`),
      )
      const batch = [...reads, ...(turns[turn % turns.length] ?? []), ...named]
      await caller(batch)
      // Few enough to be answered at once.
      if (turn < 20)
        await guesser([get('/integration/upsells/products', 'X-Integration-API-Key: a-wrong-key-of-the-tests\r\n')])
      sent += batch.length + 1
    }
  }
  return { send, statuses }
}

/** Opens a connection that sends calls in one go and waits for as many answers. */
async function openCaller(port: number, localAddress: string, statuses: Set<string>) {
  const socket: Socket = connect({ port, host: '127.0.0.1', localAddress })
  await once(socket, 'connect')
  onTestFinished(() => void socket.destroy())
  let hungUp = (_reason: Error) => {}
  socket.once('close', () => hungUp(new Error('the host hung up')))
  return (calls: readonly string[]) =>
    new Promise<void>((answered, failed) => {
      hungUp = failed
      let received = ''
      const take = (data: Buffer) => {
        received += data.toString('latin1')
        const answers = [...received.matchAll(/HTTP\/1\.1 (\d+) /g)]
        if (answers.length < calls.length || !received.endsWith('}')) return
        for (const [, status = ''] of answers) statuses.add(status)
        socket.off('data', take)
        answered()
      }
      socket.on('data', take)
      socket.write(calls.join(''))
    })
}
