import { behavesOver } from '@storeport/testing/behaves-over'
import { sqliteKind } from '@storeport/testing/stores'
import { afterAll } from 'vitest'
import { mounts } from './mounts.ts'

const sqlite = await sqliteKind()
afterAll(() => sqlite.end(), 60_000)

const { node: _tried, ...others } = mounts
for (const [name, mount] of Object.entries(others)) await behavesOver(`${name} over SQLite`, mount, sqlite)
