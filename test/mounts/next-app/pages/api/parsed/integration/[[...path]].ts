import { toApiRoute } from '../../../../../../../packages/next/src/pages.ts'
import { integration } from '../../../../integration.ts'

// oxlint-disable-next-line import/no-default-export -- Next wants it.
export default toApiRoute(integration)
