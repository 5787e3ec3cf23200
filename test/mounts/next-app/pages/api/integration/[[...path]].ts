import { toApiRoute } from '@storeport/next/pages'
import { integration } from '../../../integration.ts'

export const config = { api: { bodyParser: false } }

// oxlint-disable-next-line import/no-default-export -- Next requires it
export default toApiRoute(integration)
