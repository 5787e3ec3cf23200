import type { NextApiHandler } from 'next'
import type { NextRequest } from 'next/server.js'
import { toRouteHandlers } from '@storeport/next'
import { toApiRoute } from '@storeport/next/pages'
import { integration } from './integration.ts'

/** The adapter does not name Next's types; that it fits them is what compiles here. */
export const apiRoute: NextApiHandler = toApiRoute(integration)

/** The same of the App Router. */
export const routeHandlers: Readonly<Record<string, (request: NextRequest) => Promise<Response>>> =
  toRouteHandlers(integration)
