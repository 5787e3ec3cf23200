import { sendTo } from '@storeport/conformance'
import { toNodeListener } from '@storeport/node'
import { toFetchResponse, toReqRes } from 'fetch-to-node'
import type { MountKind } from '@storeport/testing/mount-kind'

/** The Node listener, driven with Web requests. */
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
