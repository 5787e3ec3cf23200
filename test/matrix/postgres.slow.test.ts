import { checkShopLayer } from '@storeport/testing/stores/run-conformance'
import { postgresKind } from '@storeport/testing/stores/stores'
import { afterAll } from 'vitest'
import { nodeMount } from '../mounts/node.ts'

const postgres = await postgresKind()
afterAll(() => postgres.end(), 60_000)

// A store cannot break the wire layer, which `sqlite.test.ts` checks on this mount.
await checkShopLayer('node over PostgreSQL', nodeMount, postgres)
