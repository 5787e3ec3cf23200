import { checkMountOverStore } from '@storeport/testing/run-conformance'
import { postgresKind } from '@storeport/testing/stores'
import { afterAll } from 'vitest'
import { nodeMount } from '../mounts/node.ts'

const postgres = await postgresKind()
afterAll(() => postgres.end(), 60_000)

await checkMountOverStore('node over PostgreSQL', nodeMount, postgres)
