import { behavesLikeStorePort } from '@storeport/conformance/vitest'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createNextApp, overMemory } from './next.ts'

const app = createNextApp('/shop')
const tests = { describe, it, afterAll }

beforeAll(() => app.start(), 180_000)
afterAll(() => app.stop())

const layer = 'wire'
await behavesLikeStorePort('next, App Router with basePath', { ...overMemory(app.catchAll), layer }, tests)
await behavesLikeStorePort('next, Pages Router with basePath', { ...overMemory(app.pages), layer }, tests)
