import { behavesOnTheWire } from '@storeport/testing/behaves-over'
import { honoMount } from './hono.ts'

await behavesOnTheWire('hono on node-server', honoMount)
