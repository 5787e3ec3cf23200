import { checkShopLayer } from '@storeport/testing/run-conformance'
import { otherAdapters, quickMounts } from './mounts.ts'

const mounts = { ...quickMounts, ...otherAdapters }
for (const [name, mount] of Object.entries(mounts)) await checkShopLayer(name, mount)
