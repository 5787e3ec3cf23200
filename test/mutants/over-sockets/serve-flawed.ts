import type { Integration } from '@storeport/core'
import { serve } from '@storeport/node'
import { listenOn } from '@storeport/testing/listen'
import { connect, createServer, type Socket } from 'node:net'
import type { Flaw } from './flaws.ts'

/** Serves an integration with a correct HTTP server, and puts a flaw in front of it. Returns the URL. */
export async function serveFlawed(integration: Integration, flaw: Flaw): Promise<string> {
  const { port: behind, server: correct } = await serve(integration, { port: 0 })
  correct.unref()
  let turn = Promise.resolve()
  const server = createServer({ allowHalfOpen: true }, (client) => {
    // Lets the process exit while connections are open.
    client.on('error', () => {}).unref()
    if (flaw.isSerial !== true) return void pass(client, behind, flaw)
    turn = turn.then(
      () =>
        new Promise((resolve) => {
          client.once('close', resolve)
          pass(client, behind, flaw).once('data', () => resolve())
        }),
    )
  })
  server.unref()
  return listenOn(server)
}

/** Passes the bytes of a connection to the correct server and back, with a flaw. Returns the connection to the server. */
function pass(client: Socket, port: number, { request, instead, response, pipelined, staysOpen }: Flaw): Socket {
  const shop = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  shop.on('error', () => client.destroy()).unref()
  let unread = ''
  /** Number of requests without a response, and the responses that wait for a later one. */
  let open = 0
  let waiting: string[] = []

  function read(isEnd: boolean): void {
    const own = instead?.(unread)
    if (own !== undefined) return void client.end(own, 'latin1')
    if (pipelined === 'is dropped' && open > 0) unread = ''
    const bytes = request === undefined ? unread : request(unread, isEnd)
    if (bytes === undefined) return
    unread = ''
    const all = bytes.split(/(?=^GET \S+ HTTP)/m)
    open += all.length
    shop.write(pipelined === 'is dropped' ? (all[0] ?? '') : bytes, 'latin1')
  }

  client.on('data', (data) => {
    unread += data.toString('latin1')
    read(false)
  })
  client.on('end', () => {
    read(true)
    shop.end()
  })
  client.on('close', () => shop.destroy())
  shop.on('data', (data) => {
    const bytes = response === undefined ? data.toString('latin1') : response(data.toString('latin1'))
    if (pipelined === 'is answered first') waiting = [...bytes.split(/(?=^HTTP\/1\.1 \d)/m).toReversed(), ...waiting]
    else waiting.push(bytes)
    if (pipelined === 'is answered first' && waiting.length < open) return
    client.write(waiting.join(''), 'latin1')
    waiting = []
    open = 0
  })
  shop.on('end', () => void (staysOpen === true ? undefined : client.end()))
  return shop
}
