import { checkWireLayer } from '@storeport/testing/run-conformance'
import { fetchMount } from './fetch.ts'

await checkWireLayer('fetch', fetchMount)
