import { errorAnswer } from '@storeport/core'
import { type RunningServer, serve } from '@storeport/node'
import type { CallCounts } from '../observe/count-calls.ts'
import { SettingsError } from '../settings/settings-error.ts'

/**
 * Serves the counts at `/metrics` of a listener of their own: who may call the API need not get them.
 *
 * Throws SettingsError when it cannot listen; `onError` is called with why the counts could not be written.
 */
export async function serveMetrics(
  { host, port }: { readonly host: string; readonly port: number },
  { text, contentType }: Pick<CallCounts, 'text' | 'contentType'>,
  onError: (error: unknown) => void,
): Promise<RunningServer> {
  return serve(
    {
      owns: () => true,
      answer: async ({ method, path }) => {
        if (path !== '/metrics') return errorAnswer('endpoint_not_found')
        if (method !== 'GET' && method !== 'HEAD') return errorAnswer('method_not_allowed', { allow: 'GET, HEAD' })
        try {
          const headers = { 'Content-Type': contentType, 'Cache-Control': 'no-store' }
          return { status: 200, headers: { ...headers, 'X-Content-Type-Options': 'nosniff' }, body: await text() }
        } catch (error) {
          onError(error)
          return errorAnswer('internal_error')
        }
      },
    },
    { host, port, closeTimeoutMs: 100 },
  ).catch((error: unknown) => {
    throw new SettingsError(`STOREPORT_METRICS: ${error instanceof Error ? error.message : 'cannot listen there'}`)
  })
}
