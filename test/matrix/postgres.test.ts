import { afterAll } from 'vitest'
import { mountsForDatabases } from './mounts.ts'
import { nodeMount } from '../mounts/node.ts'
import { behavesOver } from '@storeport/testing/behaves-over'
import { postgresKind } from '@storeport/testing/stores'

const postgres = await postgresKind()
afterAll(() => postgres.end(), 60_000)

await behavesOver('node over PostgreSQL', nodeMount, postgres, 'anew')
for (const [name, mount] of Object.entries(mountsForDatabases)) {
  await behavesOver(`${name} over one PostgreSQL database`, mount, postgres, 'once')
}
