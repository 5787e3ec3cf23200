import { checkShopLayer } from '@storeport/testing/run-conformance'
import { quickMounts } from './mounts.ts'

for (const [name, mount] of Object.entries(quickMounts)) await checkShopLayer(name, mount)
