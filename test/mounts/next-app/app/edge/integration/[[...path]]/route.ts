import { toRouteHandlers } from '@storeport/next'
import { integration } from '../../../../integration.ts'

export const runtime = 'edge'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toRouteHandlers(integration)
