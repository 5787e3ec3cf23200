import { once } from 'node:events'
import { createServer } from 'node:http'

/** A shop that is none: it answers what is no answer, refuses every key, or never answers. */
export async function startOddShop(
  kind: 'nonsense' | 'refuses' | 'hangs',
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((_req, res) => {
    if (kind === 'nonsense') res.setHeader('Content-Type', 'text/html').end('<h1>Welcome</h1>')
    if (kind === 'refuses') {
      const error = { code: 'invalid_api_key', message: 'The key is not known.' }
      res.writeHead(401, { 'Content-Type': 'application/json' }).end(JSON.stringify({ success: false, error }))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
