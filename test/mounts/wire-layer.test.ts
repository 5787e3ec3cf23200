import { checkWireLayer } from '@storeport/testing/stores/run-conformance'
import { quickMounts } from '../matrix/mounts.ts'

for (const [name, mount] of Object.entries(quickMounts)) await checkWireLayer(name, mount)
