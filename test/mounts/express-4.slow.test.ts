import { checkWireLayer } from '@storeport/testing/run-conformance'
import { express4Mount } from './express.ts'

await checkWireLayer('express 4', express4Mount)
