import { run } from '../../src/cli/run.ts'
import { recordedTerminal } from './recorded-terminal.ts'
import { apiKey } from './start-server.ts'

/** What a run of the command is given besides its words. */
export interface CommandSurroundings {
  /** Its environment; default the key of these tests' shops. */
  readonly env?: Readonly<Record<string, string>>
  /** What interrupts it; default nothing. */
  readonly interrupt?: AbortSignal
}

/** Runs the command in this process, and answers with its exit code and what it wrote. */
export async function command(words: readonly string[], { env, interrupt }: CommandSurroundings = {}) {
  const terminal = recordedTerminal()
  const signal = interrupt ?? new AbortController().signal
  const code = await run(words, env ?? { STOREPORT_API_KEY: apiKey }, terminal, signal)
  return { code, ...terminal.written }
}
