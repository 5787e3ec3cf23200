import { behavesOnTheWire } from '@storeport/testing/behaves-over'
import { express4Mount } from './express.ts'

await behavesOnTheWire('express 4', express4Mount)
