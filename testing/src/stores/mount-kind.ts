import type { Integration } from '@storeport/core'
import type { Capability, Send } from '@storeport/conformance'

/** A mounted integration. */
export interface Mounted {
  /** Base URL of the API. Missing if the mount has no URL. */
  readonly url?: string
  /** Sends a request to a mount that has no URL. */
  readonly send?: Send
  /** Clears the state that the mount has stored during earlier requests. */
  reset?(): void
  stop?(): Promise<void> | void
}

/** A way to mount an integration, on a free port or in this process. */
export interface MountKind {
  /** Starts the mount. Several checks share the started mount. */
  start(integration: Integration): Promise<Mounted>
  /** Capabilities that the mount does not have. The kit skips checks that require these capabilities. */
  readonly unsupported?: readonly Capability[]
  /** Reasons for skipped checks, by check id. */
  readonly skips?: Readonly<Record<string, string>>
}
