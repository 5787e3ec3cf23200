// oxlint-disable-next-line storeport/no-import-out-of-package -- what the command does first is no part of what programs import
import { limitYoungGeneration } from '../../packages/host/src/limit-young-generation.ts'
import { reportPort } from '../measure/run-server.ts'

/** The reference host, as `storeport` starts it. */
limitYoungGeneration()
const { readSettings, startHost } = await import('@storeport/host')
const { url } = await startHost(readSettings([], process.env))
reportPort(Number(new URL(url).port))
