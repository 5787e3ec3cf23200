import { createIntegration } from '@storeport/core'
import { serve } from '@storeport/node'
import { openDatabase } from './database.ts'
import { createPortal } from './portal.ts'
import { createUpsells } from './upsells.ts'

const db = openDatabase(process.env['DATABASE_FILE'] ?? ':memory:')
const store = { ...createUpsells(db), ...createPortal(db) }
const integration = createIntegration({ store, apiKeys: [process.env['STOREPORT_API_KEY']] })
const { url } = await serve(integration, { port: Number(process.env['PORT'] ?? 3000) })
console.log(`listening on ${url}`)
