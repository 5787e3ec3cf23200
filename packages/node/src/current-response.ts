import { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** The response that a connection is waiting for; Node keeps it in `_httpMessage`, which its own error handling reads too. */
export function currentResponse(socket: Duplex): ServerResponse | undefined {
  const message: unknown = Reflect.get(socket, '_httpMessage')
  return message instanceof ServerResponse ? message : undefined
}
