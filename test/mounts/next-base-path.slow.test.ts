import { checkWireLayer } from '@storeport/testing/stores/run-conformance'
import { afterAll, beforeAll } from 'vitest'
import { createNextApp } from './next.ts'

const app = createNextApp('/shop')

beforeAll(() => app.start(), 180_000)
afterAll(() => app.stop())

await checkWireLayer('next, App Router with basePath', app.catchAll)
await checkWireLayer('next, Pages Router with basePath', app.pages)
