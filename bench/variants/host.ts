// oxlint-disable-next-line storeport/no-import-out-of-package -- the first step of the command is not exported
import { limitHeap } from '../../packages/host/src/limit-heap.ts'
import { reportPort } from '../measure/follow-orders.ts'

/** The reference host, as `storeport` starts it. */
limitHeap()
const { readSettings, startHost } = await import('@storeport/host')
const { url } = await startHost(readSettings([], process.env))
reportPort(Number(new URL(url).port))
