import { nodeWithoutSocketMount } from '../mounts/node-without-socket.ts'
import { behavesOverMemory } from './behaves-over.ts'

await behavesOverMemory('node-without-socket', nodeWithoutSocketMount)
