import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { Context } from '@storeport/core'
import type { RunAction } from '@storeport/store-sql'

/** An effect outside the database. */
export interface OutsideEffect {
  /** Value of `context.idempotencyKey` in the attempt. */
  readonly key: string
  readonly email: string
  /** Id of the product or action. */
  readonly change: string
}

export async function readEffects(file: string): Promise<readonly OutsideEffect[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): OutsideEffect => JSON.parse(line))
}

/** Pauses every method after its effect. Returns a function that resumes the methods. */
export function hold(file: string): () => void {
  writeFileSync(holdOf(file), '')
  return () => rmSync(holdOf(file))
}

export async function waitForRelease(file: string): Promise<void> {
  while (existsSync(holdOf(file))) await setTimeout(10)
}

function holdOf(file: string): string {
  return `${file}.hold`
}

/** Returns a custom action whose effect is a line in a file. */
export function outsideAction(file: string): RunAction {
  return async ({ email, action_id: change }, { idempotencyKey: key }: Context) => {
    await appendFile(file, `${JSON.stringify({ key, email, change })}\n`)
    await waitForRelease(file)
  }
}
