import type { NodeRequest } from './node-message.ts'

/** The `X-Request-Id` of a request that is answered without the pipeline; none unless it is safe to repeat. */
export function requestIdOf({ headers }: Pick<NodeRequest, 'headers'>): string | undefined {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(sent) ? sent : undefined
}
