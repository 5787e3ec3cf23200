import { nodeMount } from './node.ts'
import { behavesOverMemory } from '@storeport/testing/behaves-over'

await behavesOverMemory('node', nodeMount)
