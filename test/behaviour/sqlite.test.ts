import { afterAll } from 'vitest'
import { mountsForDatabases } from '../mounts/for-databases.ts'
import { nodeMount } from '../mounts/node.ts'
import { behavesOver } from './behaves-over.ts'
import { sqliteKind } from './stores.ts'

const sqlite = await sqliteKind()
afterAll(() => sqlite.end(), 60_000)

await behavesOver('node over SQLite', nodeMount, sqlite, 'anew')
for (const [name, mount] of Object.entries(mountsForDatabases)) {
  await behavesOver(`${name} over one SQLite file`, mount, sqlite, 'once')
}
