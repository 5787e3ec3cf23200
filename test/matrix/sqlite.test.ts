import { checkMountOverStore } from '@storeport/testing/stores/run-conformance'
import { sqliteKind } from '@storeport/testing/stores/stores'
import { afterAll } from 'vitest'
import { nodeMount } from '../mounts/node.ts'

const sqlite = await sqliteKind()
afterAll(() => sqlite.end(), 60_000)

await checkMountOverStore('node over SQLite', nodeMount, sqlite)
