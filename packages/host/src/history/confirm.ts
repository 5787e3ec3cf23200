import { createInterface } from 'node:readline/promises'
import { SettingsError } from '@storeport/node'

/** Requests a confirmation; returns `undefined` without a terminal. */
export type Ask = (question: string) => Promise<boolean | undefined>

/** Requests a confirmation unless `--yes` was given. Throws SettingsError without a terminal. */
export async function confirm(command: string, question: string, hasYes: boolean, ask: Ask): Promise<boolean> {
  if (hasYes) return true
  const isConfirmed = await ask(`${question} [y/N] `)
  if (isConfirmed === undefined)
    throw new SettingsError(`${command}: not an interactive terminal. To skip the question, use --yes.`)
  if (!isConfirmed) console.log('Nothing was changed')
  return isConfirmed
}

/** Requests a confirmation on the terminal. */
export async function askOnTerminal(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim())
  } finally {
    terminal.close()
  }
}
