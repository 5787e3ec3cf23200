import type { EndpointName } from '@storeport/core'

/** What the shield did with a call. */
export interface ShieldEvent {
  /** `fresh` and `stale` answers were kept, `joined` a call that was under way, `asked` the platform, `refused` for want of a turn, `failed` by the platform. */
  readonly what: 'fresh' | 'stale' | 'joined' | 'asked' | 'refused' | 'failed'
  /** The method that was called. */
  readonly endpoint: EndpointName | 'reconcile'
  /** How long a call that was asked, or refused, waited for its turn, in milliseconds. */
  readonly waitedMs?: number | undefined
}

/** How often the shield did what, since it was made. */
export type ShieldCounts = Readonly<Record<ShieldEvent['what'] | 'waited', number>>
