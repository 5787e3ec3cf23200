import { checkShopLayer } from '@storeport/testing/run-conformance'
import { mounts } from './mounts.ts'

for (const [name, mount] of Object.entries(mounts)) await checkShopLayer(name, mount)
