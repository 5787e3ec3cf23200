import { behavesOverMemory } from '@storeport/testing/behaves-over'
import { mounts } from './mounts.ts'

const { fetch: _tried, ...others } = mounts
for (const [name, mount] of Object.entries(others)) await behavesOverMemory(name, mount)
