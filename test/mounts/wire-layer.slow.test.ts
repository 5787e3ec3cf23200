import { checkWireLayer } from '@storeport/testing/run-conformance'
import { otherAdapters } from '../matrix/mounts.ts'

for (const [name, mount] of Object.entries(otherAdapters)) await checkWireLayer(name, mount)
