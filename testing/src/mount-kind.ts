import type { Integration } from '@storeport/core'
import type { Capability, Send } from '@storeport/conformance'

/** A mounted integration. */
export interface Mounted {
  /** Base URL of the API, if it has one. */
  readonly url?: string
  /** Sends a request to a mount without a URL. */
  readonly send?: Send
  /** Clears the state that the mount itself has about earlier requests. */
  reset?(): void
  stop?(): Promise<void> | void
}

/** A way to mount an integration, on a free port or in this process. */
export interface MountKind {
  /** Starts serving. Called once for many checks. */
  start(integration: Integration): Promise<Mounted>
  /** Missing capabilities. Checks that need them are skipped. */
  readonly cannot?: readonly Capability[]
  /** Reasons for skipped checks, by check id. */
  readonly skips?: Readonly<Record<string, string>>
}
