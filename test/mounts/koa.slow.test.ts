import { checkWireLayer } from '@storeport/testing/run-conformance'
import { koaMount } from './koa.ts'

await checkWireLayer('koa', koaMount)
