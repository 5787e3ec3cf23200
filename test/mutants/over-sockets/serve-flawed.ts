import { type Answer, type Call, errorAnswer, type Integration, StoreError } from '@storeport/core'
import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { collect, type Incoming } from './incoming.ts'
import type { Flaw } from './flaw.ts'
import { type Head, HttpSyntaxError, readBody, readHead } from './read-message.ts'

/** Serves an integration with a small HTTP server that has at most one flaw. Returns the server's URL. */
export async function serveFlawed(integration: Pick<Integration, 'answer'>, flaw?: Flaw): Promise<string> {
  let turn = Promise.resolve()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {})
    // Lets the process exit while connections are open.
    socket.unref()
    const serve = () => serveConnection(integration, socket, flaw).finally(() => socket.end())
    if (flaw === 'reads one request at a time') turn = turn.then(() => untilFirstResponse(socket, serve))
    else void serve()
  })
  server.unref()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port }: AddressInfo = Object.assign({ port: 0, family: '', address: '' }, server.address())
  return `http://127.0.0.1:${port}`
}

async function serveConnection(integration: Pick<Integration, 'answer'>, socket: Socket, flaw?: Flaw): Promise<void> {
  const incoming = collect(socket)
  for (;;) {
    try {
      const head = await readHead(incoming, flaw)
      if (head === undefined) return
      const isLast = await serveRequest(integration, socket, incoming, head, flaw)
      if (isLast) return
    } catch (error) {
      if (!(error instanceof HttpSyntaxError)) throw error
      refuse(socket, error, flaw)
      if (flaw !== 'keeps the connection open behind a refusal') return
      incoming.drop()
    }
  }
}

/** Responds to a request. Returns whether the request is the last on its connection. */
async function serveRequest(
  integration: Pick<Integration, 'answer'>,
  socket: Socket,
  incoming: Incoming,
  head: Head,
  flaw?: Flaw,
): Promise<boolean> {
  const { method, headers } = head
  const header = (name: string) => {
    const lines = headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value)
    return lines.length === 0 ? undefined : lines.join(', ')
  }
  const hosts = headers.filter(([name]) => name.toLowerCase() === 'host')
  if (hosts.length === 0 && flaw !== 'needs no Host') throw new HttpSyntaxError('missing Host')
  if (hosts.length > 1 && flaw !== 'takes the first of two Hosts') throw new HttpSyntaxError('repeated Host')
  if (method === 'CONNECT') {
    if (flaw !== 'answers CONNECT with 200') throw new HttpSyntaxError('CONNECT is not supported')
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    return true
  }
  if (header('upgrade') !== undefined && flaw === 'closes the connection after a request for another protocol')
    return true
  if (header('upgrade') !== undefined && flaw === 'switches protocols on request') {
    socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
    return true
  }
  const expectation = header('expect')
  const isUnknown = expectation !== undefined && expectation !== '100-continue'
  if (isUnknown || (expectation !== undefined && flaw === 'answers Expect with 417')) {
    write(socket, { ...errorAnswer('invalid_request'), status: 417 }, method, true)
    return true
  }
  if (expectation !== undefined && flaw !== 'never says 100 Continue') socket.write('HTTP/1.1 100 Continue\r\n\r\n')
  const isLeft = method === 'GET' && flaw === 'leaves the body of a GET on the connection'
  const body = isLeft ? '' : await readBody(incoming, head, flaw)
  if (method === 'GET' && body !== '' && flaw === 'refuses a body on a GET and goes on') {
    write(socket, errorAnswer('invalid_request'), method)
    return false
  }
  if (flaw === 'drops what comes behind a request in one piece') incoming.drop()
  const answer = await integration.answer(toCall(head, header, body, flaw))
  if (flaw === 'answers the last of several requests first')
    await respondToNextFirst(integration, socket, incoming, flaw)
  write(socket, answer, method)
  return false
}

/** Responds to the next request if its head has arrived. */
async function respondToNextFirst(
  integration: Pick<Integration, 'answer'>,
  socket: Socket,
  incoming: Incoming,
  flaw: Flaw,
): Promise<void> {
  if (!incoming.hasRequest()) return
  const head = await readHead(incoming, flaw)
  if (head !== undefined) await serveRequest(integration, socket, incoming, head)
}

function toCall({ method, target, headers }: Head, header: Call['header'], body: string, flaw?: Flaw): Call {
  const { path, query } = splitTarget(target, headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? '', flaw)
  const fromBody = flaw === 'reads fields of a GET from its body' && method === 'GET' ? fieldsIn(body) : ''
  return {
    method,
    path,
    query: fromBody === '' ? query : fromBody,
    header,
    text: async (maxBytes) => {
      if (Buffer.byteLength(body) > maxBytes) throw new StoreError('payload_too_large')
      return body
    },
  }
}

function splitTarget(target: string, host: string, flaw?: Flaw) {
  const origin = /^https?:\/\/[^/?]*/.exec(target)?.[0] ?? ''
  const isOwn = origin.endsWith(`//${host}`)
  const isKept =
    flaw === 'compares an absolute target as a whole' ||
    (flaw === 'accepts an absolute target only with its own host' && !isOwn)
  const [path = '', query = ''] = (isKept ? target : target.slice(origin.length)).split('?')
  return { path, query }
}

function fieldsIn(body: string): string {
  const [, email] = /"email":"([^"]+)"/.exec(body) ?? []
  return email === undefined ? '' : `email=${encodeURIComponent(email)}`
}

/** The header that each flaw removes from error responses. */
const droppedBy: Readonly<Partial<Record<Flaw, string>>> = {
  'refuses without Cache-Control': 'Cache-Control',
  'refuses without nosniff': 'X-Content-Type-Options',
  'refuses without a request id': 'X-Request-Id',
}

function refuse(socket: Socket, { code }: HttpSyntaxError, flaw?: Flaw): void {
  const answer = errorAnswer(code)
  const dropped = flaw === undefined ? undefined : droppedBy[flaw]
  const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => name !== dropped))
  if (flaw === 'refuses as text') headers['Content-Type'] = 'text/plain; charset=utf-8'
  const body = flaw === 'refuses with a web page' ? '<h1>Bad Request</h1>' : answer.body
  write(socket, { ...answer, headers, body }, 'GET', flaw !== 'keeps the connection open behind a refusal')
}

function write(socket: Socket, { status, headers, body }: Answer, method: string, isLast = false): void {
  const lines = Object.entries({
    ...headers,
    'Content-Length': Buffer.byteLength(body),
    ...(isLast && { Connection: 'close' }),
  })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.write(`HTTP/1.1 ${status} Answer\r\n${head}\r\n${method === 'HEAD' ? '' : body}`)
}

/** Serves a connection until the first response is sent or the client disconnects. */
async function untilFirstResponse(socket: Socket, serve: () => Promise<void>): Promise<void> {
  const pass = socket.write.bind(socket)
  await new Promise<void>((resolve) => {
    Reflect.set(socket, 'write', (data: string) => {
      resolve()
      return pass(data)
    })
    void serve().finally(resolve)
  })
}
