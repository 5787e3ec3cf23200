import { checkShopLayer } from '@storeport/testing/run-conformance'
import { quickMounts, slowMounts } from './mounts.ts'

for (const [name, mount] of Object.entries({ ...quickMounts, ...slowMounts })) await checkShopLayer(name, mount)
