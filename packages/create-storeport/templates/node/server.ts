import { serve } from '@storeport/node'
import { integration } from './integration.ts'

const { url, close } = await serve(integration, {
  port: Number(process.env['PORT'] ?? 3000),
  host: process.env['HOST'],
})
console.log(`listening on ${url}`)

// What is in flight is finished first; a database that is idle would keep the process.
process.once('SIGTERM', () => void close().finally(() => process.exit()))
