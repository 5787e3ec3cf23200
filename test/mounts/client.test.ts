import { clientMount } from './client.ts'
import { checkWireLayer } from '@storeport/testing/run-conformance'

await checkWireLayer('client', clientMount)
