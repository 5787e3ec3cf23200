import { checkWireLayer } from '@storeport/testing/stores/run-conformance'
import { variants } from './mounts.ts'

for (const [name, mount] of Object.entries(variants)) await checkWireLayer(name, mount)
