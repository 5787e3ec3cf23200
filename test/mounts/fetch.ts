import { sendTo } from '@storeport/conformance'
import type { MountKind } from '@storeport/testing/mount-kind'

/** In process, as Workers, Deno and Bun call it. */
export const fetchMount: MountKind = {
  start: async (integration) => ({ send: sendTo((request) => integration.fetch(request)) }),
}
