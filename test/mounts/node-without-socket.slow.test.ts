import { nodeWithoutSocketMount } from './node-without-socket.ts'
import { checkWireLayer } from '@storeport/testing/run-conformance'

await checkWireLayer('node-without-socket', nodeWithoutSocketMount)
