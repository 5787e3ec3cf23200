import { checkWireLayer } from '@storeport/testing/run-conformance'
import { honoMount } from './hono.ts'

await checkWireLayer('hono on node-server', honoMount)
