import { nodeWithoutSocketMount } from './node-without-socket.ts'
import { behavesOnTheWire } from '@storeport/testing/behaves-over'

await behavesOnTheWire('node-without-socket', nodeWithoutSocketMount)
