import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import type { Context, StorePort } from '@storeport/core'
import { type OutsideEffect, readEffects, waitWhileHeld } from './outside-effects.ts'

/** How a platform prevents a second effect: `reconcile` finds the first one, or a key that it has seen has no effect. */
export type PlatformKind = 'reconcile' | 'honours-key'

/** What a platform records of an add. */
interface PlatformEffect extends OutsideEffect {
  /** The fingerprint of its click, for a ledger that has lost it (decision 29). */
  readonly fingerprint?: string | undefined
}

/** Lets every add end with an unknown outcome, before or after its effect, until the function that it returns is called. */
export function fail(file: string, when: 'before' | 'after'): () => void {
  writeFileSync(failOf(file), when)
  return () => rmSync(failOf(file))
}

function failOf(file: string): string {
  return `${file}.fail`
}

/** A merchant's platform without a ledger: every effect of addProduct is a line in a file that all processes share. */
export function platformStore(kind: PlatformKind, file: string): StorePort {
  const addProduct: StorePort['addProduct'] = async ({ email, product_id: what }, context) => {
    const fails = existsSync(failOf(file)) ? readFileSync(failOf(file), 'utf8') : ''
    if (fails === 'before') throw new Error('The connection was lost before the effect.')
    if (kind === 'reconcile' || isNewKey(context)) {
      const { idempotencyKey: key, clickIdentity } = context
      const effect: PlatformEffect = { key, email, what, fingerprint: clickIdentity?.fingerprint }
      await appendFile(file, `${JSON.stringify(effect)}\n`)
    }
    if (fails === 'after') throw new Error('The connection was lost after the effect.')
    await waitWhileHeld(file)
  }

  /** Whether this key had no effect yet, in any process. */
  function isNewKey({ idempotencyKey }: Context): boolean {
    try {
      closeSync(openSync(`${file}.${idempotencyKey}`, 'wx'))
      return true
    } catch {
      return false
    }
  }

  if (kind === 'honours-key') return { addProduct, honoursIdempotencyKey: true }
  return {
    addProduct,
    reconcile: async (_name, _input, { idempotencyKey, clickIdentity, ledgerIsYoung }) => {
      const effects: readonly PlatformEffect[] = await readEffects(file)
      const isSame = ({ key, fingerprint }: PlatformEffect) =>
        key === idempotencyKey || (ledgerIsYoung && fingerprint === clickIdentity.fingerprint)
      return effects.some(isSame) ? 'applied' : 'not_applied'
    },
  }
}
