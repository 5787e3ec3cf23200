import { behavesOverMemory } from './behaviour/behaves-over.ts'
import { honoMount } from './mounts/hono.ts'
import { koaMount } from './mounts/koa.ts'

await behavesOverMemory('hono on node-server', honoMount)
await behavesOverMemory('koa', koaMount)
