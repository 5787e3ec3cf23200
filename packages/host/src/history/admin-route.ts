import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { History } from '@storeport/core'
import { writeJson } from '../host-routes.ts'
import { openSignIn } from '../settings/secrets.ts'
import type { Settings } from '../settings/settings.ts'
import { SettingsError } from '@storeport/node'
import { readHistoryQuery } from './read-query.ts'

/** Handles `/admin/history`; returns false for other paths. */
export type AdminRoute = (req: IncomingMessage, res: ServerResponse) => Promise<boolean>

/** Creates `GET /admin/history`, which requires the sign-in token as a bearer token. The API key is not accepted. */
export function createAdminRoute(
  { data, timeZone }: Pick<Settings, 'data' | 'timeZone'>,
  history: History | undefined,
): AdminRoute {
  // Opens the token at the first request, because a host without a playground may have no data folder.
  let token: Promise<string> | undefined
  const readToken = () =>
    (token ??= openSignIn(data).then(
      (signIn) => signIn.token,
      (error: unknown) => {
        token = undefined
        throw error
      },
    ))

  return async (req, res) => {
    const [path, query] = (req.url ?? '').split('?', 2)
    if (path !== '/admin/history' || history === undefined) return false
    if (req.method !== 'GET') return reject(res, 405, 'method_not_allowed', 'Use GET.', { Allow: 'GET' })
    const stored = await readToken()
    const [, sent] = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? '') ?? []
    if (sent === undefined || !isEqual(sent, stored))
      return reject(
        res,
        403,
        'forbidden',
        'Send the content of the file `token` in the data folder as Authorization: Bearer.',
      )
    try {
      const page = await history.read(readHistoryQuery(Object.fromEntries(new URLSearchParams(query)), timeZone))
      writeJson(res, 200, { ...page, ...history.counts() })
      return true
    } catch (error) {
      if (error instanceof SettingsError) return reject(res, 400, 'invalid_request', error.message)
      throw error
    }
  }
}

function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}

function reject(res: ServerResponse, status: number, code: string, message: string, headers: object = {}): true {
  writeJson(res, status, { success: false, error: { code, message } }, headers)
  return true
}
