import { deepStrictEqual as deepEqual } from 'node:assert'
import { type Load, openLoad } from '../measure/load.ts'
import { compile, startProcess } from '../measure/processes.ts'
import { getSubscription, post, type RawRequest, timedEndpoints } from '../measure/requests.ts'
import { withInterval } from '../measure/statistics.ts'
import { control, takeTurns } from '../measure/alternate.ts'
import { type Effort, type Section, withVersion } from '../report.ts'

interface Variant {
  readonly name: string
  /** Name of a program in `bench/variants`. */
  readonly program: string
  readonly environment?: NodeJS.ProcessEnv
}

const byHand: Variant = { name: 'node:http by hand', program: 'by-hand' }

/** Compares StorePort and other frameworks with hand-written node:http. */
export async function http({ full }: Effort): Promise<Section> {
  // StorePort with the retry guard still becomes faster after 20,000 requests, because V8 optimizes its code late.
  const turns = full ? { rounds: 10, count: 3000, warmUp: 60_000 } : { rounds: 2, count: 1000, warmUp: 4000 }
  const variants: readonly Variant[] = [
    { name: 'StorePort, default: serve() with the retry guard in memory', program: 'storeport' },
    { name: 'StorePort, serve() without the retry guard', program: 'storeport', environment: { BENCH_GUARD: 'off' } },
    { name: `${withVersion('fastify')}, own schemas`, program: 'fastify' },
    { name: `${withVersion('hono')} on ${withVersion('@hono/node-server')}`, program: 'hono' },
    { name: withVersion('express'), program: 'express' },
  ]
  const files = new Map<string, string>()
  for (const { program } of [byHand, ...variants]) files.set(program, await compile(program))
  const start = ({ program, environment }: Variant, more?: NodeJS.ProcessEnv) =>
    startServer(files.get(program) ?? '', { ...environment, ...more })
  const respond = async (variant: Variant) => responsesOf(await start(variant, { BENCH_STORE_TIMEOUT_MS: '300' }))
  const expected = await respond(byHand)
  for (const variant of variants) deepEqual(await respond(variant), expected, variant.name)

  const sides = [byHand, { ...byHand, name: control }, ...variants].map((variant) => ({
    name: variant.name,
    start: () => start(variant),
  }))
  const works = [...requests.keys()]
  const measured = await takeTurns({ ...turns, sides, works, lots: 10 })
  return {
    title: 'Over HTTP',
    method:
      `CPU time of the server process per request. ${turns.rounds} rounds of ${turns.count} requests to each endpoint, ` +
      `after ${turns.warmUp} to warm up, over 16 keep-alive connections. The store returns a constant. Before the timing, every ` +
      'variant returned the same bytes and error statuses as the hand-written code.',
    columns: ['variant', ...works.flatMap((name) => [`${name}, µs`, 'speed, by hand = 1'])],
    rows: sides.map(({ name }) => [
      name,
      ...measured
        .filter(({ variant }) => variant === name)
        .flatMap(({ microseconds, ratio, interval }) => [
          microseconds.toFixed(1),
          name === byHand.name ? '1' : withInterval(ratio, interval, 3),
        ]),
    ]),
  }
}

const requests = new Map(Object.entries(timedEndpoints))

type Server = Awaited<ReturnType<typeof startServer>>

async function startServer(file: string, environment: NodeJS.ProcessEnv) {
  const server = await startProcess(file, environment, true)
  // Opens the connections at the first measurement, because a server closes idle connections.
  let load: Load | undefined
  return {
    port: server.port,
    measure: async (work: string, count: number) => {
      load ??= openLoad(server.port)
      const before = await server.order('cpu')
      await load.send(count, requests.get(work) ?? (() => get))
      return ((await server.order('cpu')) - before) / count
    },
    end: () => {
      load?.close()
      return server.end()
    },
  }
}

const get = getSubscription('customer@example.com')
const delay = post('customer-portal/delay', { email: 'customer@example.com', new_date: '2031-01-01' })

/** Requests whose responses are compared before the measurement. */
const probes: Readonly<Record<string, RawRequest>> = {
  'a subscription': withHeader(get, 'x-request-id', 'probe-1'),
  'extra fields and digits': withHeader(getSubscription('untidy@example.com'), 'x-request-id', 'probe-2'),
  'a delay': withHeader(delay, 'x-request-id', 'probe-3'),
  'invalid output of the store': getSubscription('invalid@example.com'),
  'a customer that does not exist': getSubscription('stranger@example.com'),
  'a store that hangs': getSubscription('hangs@example.com'),
  'an empty key': withHeader(get, 'x-integration-api-key', ''),
  'an invalid key': withHeader(get, 'x-integration-api-key', `${get.headers['x-integration-api-key']}x`),
  'an invalid email': getSubscription('nobody'),
  'a missing field': post('customer-portal/delay', { email: 'customer@example.com' }),
  'an invalid date': post('customer-portal/delay', { email: 'customer@example.com', new_date: '2031-02-30' }),
  'an invalid path': { ...get, url: '/integration/nothing' },
}

function withHeader(request: RawRequest, name: string, value: string): RawRequest {
  return { ...request, headers: { ...request.headers, [name]: value } }
}

/** Returns the response to each probe: the status of an error, or the headers and the body of a success. */
async function responsesOf({ port, end }: Server): Promise<Record<string, unknown>> {
  const responses: Record<string, unknown> = {}
  for (const [what, { url, ...init }] of Object.entries(probes)) {
    const response = await fetch(`http://127.0.0.1:${port}${url}`, init)
    const { status, headers } = response
    const text = await response.text()
    const named = ['cache-control', 'x-content-type-options', 'x-request-id'].map((name) => headers.get(name))
    // Ignores the character set, because some frameworks omit it.
    const type = headers.get('content-type')?.split(';', 1)[0]
    responses[what] = status === 200 ? [type, ...named, text] : status
  }
  await end()
  return responses
}
