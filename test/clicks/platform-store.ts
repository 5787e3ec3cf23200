import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import type { Context, StorePort } from '@storeport/core'
import { type OutsideEffect, readEffects, waitForRelease } from './outside-effects.ts'

/** How a platform prevents a second effect of a click: with `reconcile`, or by ignoring a repeated key. */
export type PlatformKind = 'reconcile' | 'honors-key'

/** Record of an add on the platform. */
interface PlatformEffect extends OutsideEffect {
  /** Fingerprint of the click, which `reconcile` uses if the ledger has lost the click (decision 29). */
  readonly fingerprint?: string | undefined
}

/** Makes adds fail with an unknown outcome, before or after the effect. Returns a function that ends the failures. */
export function makeAddsFail(file: string, when: 'before' | 'after'): () => void {
  writeFileSync(failOf(file), when)
  return () => rmSync(failOf(file))
}

function failOf(file: string): string {
  return `${file}.fail`
}

/** Creates a platform without a ledger. Every effect of `addProduct` is a line in a file that all processes share. */
export function platformStore(kind: PlatformKind, file: string): StorePort {
  const addProduct: StorePort['addProduct'] = async ({ email, product_id: change }, context) => {
    const fails = existsSync(failOf(file)) ? readFileSync(failOf(file), 'utf8') : ''
    if (fails === 'before') throw new Error('The connection was lost before the effect.')
    if (kind === 'reconcile' || isNewKey(context)) {
      const { idempotencyKey: key, clickIdentity } = context
      const effect: PlatformEffect = { key, email, change, fingerprint: clickIdentity?.fingerprint }
      await appendFile(file, `${JSON.stringify(effect)}\n`)
    }
    if (fails === 'after') throw new Error('The connection was lost after the effect.')
    await waitForRelease(file)
  }

  /** Claims the key by creating a file. Returns false if a process has already claimed the key. */
  function isNewKey({ idempotencyKey }: Context): boolean {
    try {
      closeSync(openSync(`${file}.${idempotencyKey}`, 'wx'))
      return true
    } catch {
      return false
    }
  }

  if (kind === 'honors-key') return { addProduct, honoursIdempotencyKey: true }
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
