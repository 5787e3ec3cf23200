import { afterAll } from 'vitest'
import { mountsForDatabases } from './mounts.ts'
import { nodeMount } from '../mounts/node.ts'
import { behavesOver } from '@storeport/testing/behaves-over'
import { sqliteKind } from '@storeport/testing/stores'

const sqlite = await sqliteKind()
afterAll(() => sqlite.end(), 60_000)

await behavesOver('node over SQLite', nodeMount, sqlite, 'anew')
for (const [name, mount] of Object.entries(mountsForDatabases)) {
  await behavesOver(`${name} over one SQLite file`, mount, sqlite, 'once')
}
