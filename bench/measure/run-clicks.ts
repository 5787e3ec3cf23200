import type { Answer, Call } from '@storeport/core'
import { apiKey } from '../shop.ts'
import { countStatements, type StatementCounts } from '@storeport/testing/count-statements'

/** A POST add-product as the parent process asks for it. */
export interface AddRequest {
  /** Headers besides the key, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

/** What the parent process asks for: one answer, or the cost of many that succeed. */
export type ClickOrder = { readonly probe: AddRequest } | { readonly bodies: readonly string[] }

/** What some clicks came to. */
export interface ClickCosts extends StatementCounts {
  readonly cpuMicroseconds: number
  readonly milliseconds: number
}

/** What the process says. */
export interface ClickReply {
  readonly answer?: Answer
  readonly costs?: ClickCosts
}

/** Answers plain calls as the parent process asks, and tells it what they cost. */
export function runClicks(answer: (call: Call) => Promise<Answer>): void {
  const counts = process.env['BENCH_COUNT'] === undefined ? { statements: 0, commits: 0 } : countStatements()

  async function costsOf(bodies: readonly string[]): Promise<ClickCosts> {
    const calls = bodies.map((body) => callOf({ body }))
    const counted = { ...counts }
    const start = performance.now()
    const before = process.cpuUsage()
    for (const call of calls) {
      const { status } = await answer(call)
      if (status !== 200) throw new Error(`a click was answered ${status}`)
      // What libsql holds for a statement is freed when the event loop turns, as it does between two requests.
      await new Promise(setImmediate)
    }
    const { user, system } = process.cpuUsage(before)
    return {
      cpuMicroseconds: user + system,
      milliseconds: performance.now() - start,
      statements: counts.statements - counted.statements,
      commits: counts.commits - counted.commits,
    }
  }

  async function follow(order: ClickOrder): Promise<ClickReply> {
    if ('probe' in order) return { answer: await answer(callOf(order.probe)) }
    return { costs: await costsOf(order.bodies) }
  }

  process.on('message', (order: ClickOrder) => void follow(order).then((reply) => process.send?.(reply)))
  process.on('disconnect', () => process.exit())
  process.send?.({})
}

function callOf({ headers = {}, body }: AddRequest): Call {
  const sent = new Map(
    Object.entries({ 'x-integration-api-key': apiKey, 'content-type': 'application/json', ...headers }),
  )
  return {
    method: 'POST',
    path: '/integration/upsells/add-product',
    query: '',
    header: (name) => sent.get(name),
    text: async () => body,
  }
}
