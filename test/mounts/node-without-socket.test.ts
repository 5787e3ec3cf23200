import { nodeWithoutSocketMount } from './node-without-socket.ts'
import { behavesOverMemory } from '@storeport/testing/behaves-over'

await behavesOverMemory('node-without-socket', nodeWithoutSocketMount)
