import { afterAll } from 'vitest'
import { mountsForDatabases } from '../mounts/for-databases.ts'
import { nodeMount } from '../mounts/node.ts'
import { behavesOver } from './behaves-over.ts'
import { postgresKind } from './stores.ts'

const postgres = await postgresKind()
afterAll(() => postgres.end(), 60_000)

await behavesOver('node over PostgreSQL', nodeMount, postgres, 'anew')
for (const [name, mount] of Object.entries(mountsForDatabases)) {
  await behavesOver(`${name} over one PostgreSQL database`, mount, postgres, 'once')
}
