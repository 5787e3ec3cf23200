import { monitor } from '../../integration.ts'

export const dynamic = 'force-dynamic'

export async function GET(): Promise<Response> {
  return new Response(null, { status: (await monitor.isReady()) ? 200 : 503 })
}
