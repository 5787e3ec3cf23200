import { serve } from '@storeport/node'
import { integration } from './integration.ts'
import { drawImage } from './images.ts'
import { keepAliveTimeout, stopOnSignal } from './stop-on-signal.ts'

const { url, close } = await serve(integration, {
  port: Number(process.env['PORT'] ?? 3000),
  host: process.env['HOST'],
  keepAliveTimeoutMs: keepAliveTimeout,
  // Handles paths outside the API.
  fallback: (req, res) => {
    const [path = '/'] = (req.url ?? '/').split('?')
    if (path === '/') res.end('The shop is running.')
    else if (path === '/healthz') res.end('ok')
    else if (path.startsWith('/images/')) res.setHeader('Content-Type', 'image/svg+xml').end(drawImage(path.slice(8)))
    else res.writeHead(404).end('Not found.')
  },
})
console.log(`listening on ${url}`)
stopOnSignal(close)
