import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { RawConnection } from './plain-http.ts'
import { type ByteSource, readResponse } from './read-response.ts'

/** Opens a connection to the server of an http(s) address; rejects when there is none. */
export async function openConnection(base: URL): Promise<RawConnection> {
  const host = base.hostname.replace(/^\[|\]$/g, '')
  const isSecure = base.protocol === 'https:'
  const port = Number(base.port || (isSecure ? 443 : 80))
  const socket: Socket = isSecure ? connectTls({ host, port, servername: host }) : connectTcp({ host, port })
  socket.setNoDelay(true)
  await once(socket, isSecure ? 'secureConnect' : 'connect')
  // What is wrong with a connection shows in what can be read from it.
  socket.on('error', () => {})
  const source = createSource(socket)
  return {
    host: base.host,
    prefix: base.pathname.replace(/\/$/, ''),
    write: (bytes) => void socket.write(bytes),
    end: () => void socket.end(),
    destroy: () => void socket.destroy(),
    read: (method) => readResponse(source, method),
    closed: () => source.ended,
  }
}

/** Collects what comes, since a socket that nobody reads says nothing of its end. */
function createSource(socket: Socket): ByteSource & { readonly ended: Promise<void> } {
  let held = Buffer.alloc(0)
  let isOver = false
  let wake = () => {}
  socket.on('data', (data: Buffer) => {
    held = Buffer.concat([held, data])
    wake()
  })
  const ended = new Promise<void>((resolve) => {
    const over = () => {
      isOver = true
      wake()
      resolve()
    }
    socket.on('end', over)
    socket.on('close', over)
  })

  function take(count: number): Buffer {
    const taken = held.subarray(0, count)
    held = held.subarray(count)
    return taken
  }

  /** Waits until enough is there, or nothing more comes. */
  async function waitUntil(isEnough: () => boolean): Promise<void> {
    if (isEnough() || isOver) return
    await new Promise<void>((resolve) => (wake = resolve))
    return waitUntil(isEnough)
  }

  return {
    ended,
    async readUntil(mark) {
      await waitUntil(() => held.includes(mark))
      const at = held.indexOf(mark)
      return at === -1 ? undefined : take(at + mark.length)
    },
    async readBytes(count) {
      await waitUntil(() => held.length >= count)
      return take(count)
    },
  }
}
