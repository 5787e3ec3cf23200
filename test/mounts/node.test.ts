import { nodeMount } from './node.ts'
import { behavesOnTheWire } from '@storeport/testing/behaves-over'

await behavesOnTheWire('node', nodeMount)
