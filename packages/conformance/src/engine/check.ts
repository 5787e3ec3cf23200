import type { EndpointName } from '@storeport/core'
import type { CheckContext } from './check-context.ts'
import type { Capability } from '../http/plain-http.ts'
import type { RequirementId } from '../requirements.ts'

/**
 * What a check does to a shop.
 *
 * `read-only`: GETs, and calls that name no customer of the shop. `write`: changes what test customers have.
 * `stress`: sends many calls at once, or slow ones; bounded.
 */
export type CheckMode = 'read-only' | 'write' | 'stress'

/** One thing to try on an implementation, by its API alone. */
export interface Check {
  /** `<endpoint or topic>.<sentence-in-kebab-case>`; stable. */
  readonly id: string
  /** What holds, in one sentence. */
  readonly title: string
  /** The requirements that it holds; a failure that names none of its own is about the first. */
  readonly requirements: readonly [RequirementId, ...RequirementId[]]
  /** What it does to a shop. */
  readonly mode: CheckMode
  /** The endpoints that must be offered. */
  readonly needs: readonly EndpointName[]
  /** What it needs of the way to the server. */
  readonly requires?: readonly Capability[]
  /** Resolves when the requirements hold; rejects with CheckFailure or CheckSkip. */
  run(t: CheckContext): Promise<void>
}
