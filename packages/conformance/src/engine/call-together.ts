import { endpoints } from '@storeport/core'
import type { CheckContext, TogetherCall } from './check-context.ts'
import type { RawCaller } from './raw-caller.ts'
import type { Reply } from '../http/reply.ts'

/**
 * Sends calls at one moment, each over a connection that the server has answered on before; the answers come in their order.
 *
 * A new connection takes longer than a call: calls that open one each arrive one after the other.
 */
export async function callTogether(t: CheckContext, calls: readonly TogetherCall[]): Promise<readonly Reply[]> {
  const callers = await Promise.all(calls.map(() => openWarm(t)))
  for (const [index, { name, input, headers = {} }] of calls.entries()) {
    const body = JSON.stringify(input)
    const lines = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)), ...headers }
    callers[index]?.request({ method: 'POST', path: endpoints[name].path, headers: Object.entries(lines), body })
  }
  return Promise.all(
    callers.map(async (caller, index) => {
      const reply = await caller.reply()
      caller.destroy()
      const { name, input, headers } = calls[index] ?? { name: 'listProducts', input: {} }
      // One that the shop counts, or whose connection was closed before it arrived, is sent again on its own.
      return reply === undefined || reply.status === 429 ? t.call(name, input, { headers }) : reply
    }),
  )
}

/** A connection on which the server has answered, unless it closes each one behind its first answer. */
async function openWarm(t: CheckContext): Promise<RawCaller> {
  const caller = await t.connect()
  caller.request({ path: '/no-such-path' })
  const reply = await caller.reply()
  return reply === undefined || reply.header('Connection')?.toLowerCase() === 'close' ? t.connect() : caller
}
