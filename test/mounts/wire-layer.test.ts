import { checkWireLayer } from '@storeport/testing/stores/run-conformance'
import { quickMounts } from './mounts.ts'

for (const [name, mount] of Object.entries(quickMounts)) await checkWireLayer(name, mount)
