import { sendTo } from '@storeport/conformance'
import { toNodeListener } from '@storeport/node'
import { toFetchResponse, toReqRes } from 'fetch-to-node'
import type { MountKind } from '@storeport/testing/stores/mount-kind'

/** Calls the Node listener with Fetch API requests, without a socket. */
export const nodeWithoutSocketMount: MountKind = {
  start: async (integration) => {
    const listener = toNodeListener(integration)
    return {
      send: sendTo((request) => {
        const { req, res } = toReqRes(request)
        listener(req, res)
        return toFetchResponse(res)
      }),
    }
  },
}
