// oxlint-disable-next-line storeport/no-import-out-of-package -- the first step of the command is not exported
import { limitHeap } from '../../packages/host/src/limit-heap.ts'
import { reportPort } from '../measure/follow-orders.ts'

// Starts the reference host in the same way as the `storeport` command.
limitHeap()
const { readSettings, startHost } = await import('@storeport/host')
const { url } = await startHost(readSettings([], process.env))
reportPort(Number(new URL(url).port))
