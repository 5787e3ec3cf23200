import { behavesLikeStorePort } from '@storeport/conformance/vitest'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { overMemory } from './next-behaviour.ts'
import { createNextApp } from './next.ts'

const app = createNextApp('/shop')
const tests = { describe, it, afterAll }

beforeAll(() => app.start(), 180_000)
afterAll(() => app.stop())

// What a base path can change is where a request arrives.
const only = ['routing', 'authentication', 'queries', 'bodies', 'listProducts']
await behavesLikeStorePort('next, App Router with basePath', { ...overMemory(app.catchAll), only }, tests)
await behavesLikeStorePort('next, Pages Router with basePath', { ...overMemory(app.pages), only }, tests)
