import { existsSync } from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { Context, StorePort } from '@storeport/core'
import type { RunAction } from '@storeport/store-sql'

/** What was done outside of the database: each effect under the key of its try. */
export interface OutsideEffect {
  /** `context.idempotencyKey`. */
  readonly key: string
  /** The customer. */
  readonly email: string
  /** The product, or the action. */
  readonly what: string
}

/** Reads the effects that a file holds, in their order. */
export async function readEffects(file: string): Promise<readonly OutsideEffect[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): OutsideEffect => JSON.parse(line))
}

/** The file beside the one of the effects that keeps every method from ending after its effect, as long as it is there. */
export function holdOf(file: string): string {
  return `${file}.hold`
}

/** A custom action whose effect is a line in a file. */
export function outsideAction(file: string): RunAction {
  return ({ email, action_id }, context) => takeEffect(file, { email, what: action_id }, context)
}

/** A store whose addProduct is a merchant's own: its effect is a line in a file, by which it finds out how a lost try ended. */
export function outsideStore(store: StorePort, file: string): StorePort {
  return {
    ...store,
    addProduct: ({ email, product_id }, context) => takeEffect(file, { email, what: product_id }, context),
    reconcile: async (_name, _input, { idempotencyKey }) =>
      (await readEffects(file)).some(({ key }) => key === idempotencyKey) ? 'applied' : 'not_applied',
  }
}

/** Has its effect once more each time that it is called. */
async function takeEffect(file: string, effect: Omit<OutsideEffect, 'key'>, { idempotencyKey: key }: Context) {
  await appendFile(file, `${JSON.stringify({ key, ...effect })}\n`)
  while (existsSync(holdOf(file))) await setTimeout(10)
}
