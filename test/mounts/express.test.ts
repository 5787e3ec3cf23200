import { behavesOnTheWire } from '@storeport/testing/behaves-over'
import { express5Mount } from './express.ts'

await behavesOnTheWire('express 5', express5Mount)
