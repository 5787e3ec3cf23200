import { behavesOverMemory } from '@storeport/testing/behaves-over'
import { honoMount } from './hono.ts'
import { koaMount } from './koa.ts'

await behavesOverMemory('hono on node-server', honoMount)
await behavesOverMemory('koa', koaMount)
