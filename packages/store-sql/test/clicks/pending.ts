import { type Context, PendingClick } from '@storeport/core'
import type { SqlStore } from '@storeport/store-sql'
import { contextOf } from '@storeport/testing/clicks'

/** Properties of a click that a test can set. */
interface TestClick {
  readonly fingerprint?: string
  readonly customer?: string
  /** Key of the document of a named click. */
  readonly name?: string
  readonly windowMs?: number
  readonly arrivedMsAgo?: number
  readonly commitBy?: number
}

/** Creates a click like the integration creates for a method that stores clicks. Each call creates a new attempt. */
export function pending(chosen: TestClick = {}): PendingClick {
  const { fingerprint = 'fp', customer = 'customer', name, windowMs, arrivedMsAgo = 0, commitBy = Infinity } = chosen
  const click = {
    ...{ customer, fingerprint, windowMs: windowMs ?? (name === undefined ? 10_000 : 86_400_000) },
    ...(name !== undefined && { name, derivedKey: `${name} ${fingerprint}` }),
  }
  const request = {
    ...{ click, attempt: crypto.randomUUID(), leaseMs: 15_000, retainMs: 60_000, waitedMs: 0 },
    ...{ canReconcile: false, repeatableMs: 0, isYoung: false },
  }
  return new PendingClick({ click, request, commitBy, waitedMs: () => arrivedMsAgo })
}

/** Calls a method that stores its clicks. Returns whether the method ran or replayed an earlier call. */
export async function callMethod<Input>(
  method: (input: Input, context: Context) => Promise<void>,
  input: Input,
  click: PendingClick,
): Promise<'ran' | 'replayed'> {
  await method(input, { ...contextOf(click.idempotencyKey), click })
  return click.isReplayed ? 'replayed' : 'ran'
}

/** Returns the rows of stored clicks, without the creation time of the ledger. */
export async function clickRows({ database }: SqlStore) {
  return database.read((db) =>
    db.selectFrom('clicks').selectAll().where('expires_at', '<', Number.MAX_SAFE_INTEGER).execute(),
  )
}
