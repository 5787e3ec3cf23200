import { sendTo } from '@storeport/conformance'
import type { MountKind } from '@storeport/testing/stores/mount-kind'

/** Calls `fetch` in this process, as Workers, Deno and Bun do. */
export const fetchMount: MountKind = {
  start: async (integration) => ({ send: sendTo((request) => integration.fetch(request)) }),
}
