import { checkWireLayer } from '@storeport/testing/run-conformance'
import { slowMounts } from '../matrix/mounts.ts'

for (const [name, mount] of Object.entries(slowMounts)) await checkWireLayer(name, mount)
