import { toApiRoute } from '../../../../../../packages/next/src/pages.ts'
import { integration } from '../../../integration.ts'

export const config = { api: { bodyParser: false } }

// oxlint-disable-next-line import/no-default-export -- Next wants it.
export default toApiRoute(integration)
