import type { Integration } from '@storeport/core'
import type { Capability, Send } from '@storeport/conformance'

/** An integration that was mounted somewhere. */
export interface Mounted {
  /** Its address, where it has one. */
  readonly url?: string
  /** The way to it without an address. */
  readonly send?: Send
  /** Forgets what the mount itself remembers of earlier calls. */
  reset?(): void
  /** Ends it. */
  stop?(): Promise<void> | void
}

/** A way to serve an integration: on a free port, or in this process. */
export interface MountKind {
  /** Starts serving; called once for many checks. */
  start(integration: Integration): Promise<Mounted>
  /** What it cannot do; checks that need it are skipped. */
  readonly cannot?: readonly Capability[]
  /** Checks that are not made of it, by id, with the reason. */
  readonly skips?: Readonly<Record<string, string>>
}
