import type { NextApiHandler } from 'next'
import type { NextRequest } from 'next/server.js'
import { toRouteHandlers } from '@storeport/next'
import { toApiRoute } from '@storeport/next/pages'
import { integration } from './integration.ts'

/** Checks at compile time that the Pages Router handler has Next's type, which the adapter does not import. */
export const apiRoute: NextApiHandler = toApiRoute(integration)

/** Checks at compile time that the App Router handlers have Next's types. */
export const routeHandlers: Readonly<Record<string, (request: NextRequest) => Promise<Response>>> =
  toRouteHandlers(integration)
