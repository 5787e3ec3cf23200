import { readSettings, startHost } from '@storeport/host'
import { reportPort } from '../measure/run-server.ts'

/** The reference host, as `storeport` starts it. */
const { url } = await startHost(readSettings([], process.env))
reportPort(Number(new URL(url).port))
