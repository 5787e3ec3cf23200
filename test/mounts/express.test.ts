import { checkWireLayer } from '@storeport/testing/run-conformance'
import { express5Mount } from './express.ts'

await checkWireLayer('express 5', express5Mount)
