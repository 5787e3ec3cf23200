// oxlint-disable-next-line storeport/no-import-out-of-package -- what the command does first is no part of what programs import
import { limitHeap } from '../../packages/host/src/limit-heap.ts'
import { reportPort } from '../measure/run-server.ts'

/** The reference host, as `storeport` starts it. */
limitHeap()
const { readSettings, startHost } = await import('@storeport/host')
const { url } = await startHost(readSettings([], process.env))
reportPort(Number(new URL(url).port))
