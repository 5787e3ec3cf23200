import { behavesOver } from '@storeport/testing/behaves-over'
import { postgresKind } from '@storeport/testing/stores'
import { afterAll } from 'vitest'
import { mounts } from './mounts.ts'

const postgres = await postgresKind()
afterAll(() => postgres.end(), 60_000)

for (const [name, mount] of Object.entries(mounts)) await behavesOver(`${name} over PostgreSQL`, mount, postgres)
