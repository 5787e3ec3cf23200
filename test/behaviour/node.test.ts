import { nodeMount } from '../mounts/node.ts'
import { behavesOverMemory } from './behaves-over.ts'

await behavesOverMemory('node', nodeMount)
