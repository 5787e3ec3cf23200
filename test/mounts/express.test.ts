import { behavesOnTheWire } from '@storeport/testing/behaves-over'
import { express4Mount, express5Mount } from './express.ts'

await behavesOnTheWire('express 5', express5Mount)
await behavesOnTheWire('express 4', express4Mount)
