import type { CheckContext } from '../engine/check-context.ts'

/** Everything that the API tells about a customer, for comparing before and after. */
export async function snapshot(t: CheckContext, email: string): Promise<Readonly<Record<string, unknown>>> {
  const reads = ['getSubscription', 'listCancelledSubscriptions', 'listProducts'] as const
  const told: Record<string, unknown> = {}
  for (const name of reads) {
    if (t.offered.includes(name)) told[name] = (await t.call(name, { email })).json
  }
  return told
}
