import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { Context } from '@storeport/core'
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

/** Keeps every method from ending after its effect, until the function that it returns is called. */
export function hold(file: string): () => void {
  writeFileSync(holdOf(file), '')
  return () => rmSync(holdOf(file))
}

/** Waits as long as methods are held. */
export async function waitWhileHeld(file: string): Promise<void> {
  while (existsSync(holdOf(file))) await setTimeout(10)
}

function holdOf(file: string): string {
  return `${file}.hold`
}

/** A custom action whose effect is a line in a file. */
export function outsideAction(file: string): RunAction {
  return async ({ email, action_id: what }, { idempotencyKey: key }: Context) => {
    await appendFile(file, `${JSON.stringify({ key, email, what })}\n`)
    await waitWhileHeld(file)
  }
}
