import { behavesOver } from '@storeport/testing/behaves-over'
import { sqliteKind } from '@storeport/testing/stores'
import { afterAll } from 'vitest'
import { nodeMount } from '../mounts/node.ts'

const sqlite = await sqliteKind()
afterAll(() => sqlite.end(), 60_000)

await behavesOver('node over SQLite', nodeMount, sqlite)
