import { serve } from '@storeport/node'
import { settings } from './env.ts'
import { integration, monitor } from './integration.ts'
import { drawImage } from './images.ts'

const { url, close } = await serve(integration, {
  port: settings.port,
  host: settings.host,
  // Handles paths outside the API.
  fallback: async (req, res) => {
    const [path = '/'] = (req.url ?? '/').split('?')
    if (path === '/') res.end('The shop is running.')
    else if (path === '/healthz') res.end('ok')
    else if (path === '/readyz') res.writeHead((await monitor.isReady()) ? 200 : 503).end()
    else if (path.startsWith('/images/')) res.setHeader('Content-Type', 'image/svg+xml').end(drawImage(path.slice(8)))
    else res.writeHead(404).end('Not found.')
  },
})
monitor.stopOnSignal(close)
monitor.log.info({ url }, 'listening')
