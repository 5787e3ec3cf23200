import { keys } from './keys.ts'
import { startLine } from './run-as-user.ts'

/** A running program and the URL that it printed. */
export type RunningProgram = Awaited<ReturnType<typeof startProgram>>

/** Runs `npm start` for an example on a free port. Some examples build first. */
export function startExample(name: string, more: Readonly<Record<string, string>> = {}) {
  return startProgram(`npm start --prefix examples/${name}`, more)
}

/** Starts a shell command on a free port (`PORT=0`), and waits until the program has printed its URL. */
export async function startProgram(line: string, more: Readonly<Record<string, string>> = {}) {
  const quiet = { NEXT_TELEMETRY_DISABLED: '1', DENO_NO_UPDATE_CHECK: '1' }
  const settings = { NODE_ENV: 'production', PORT: '0', STOREPORT_API_KEY: keys.first } as const
  const env = { ...process.env, ...quiet, ...settings, ...more }
  const { found, stop } = await startLine('.', line, env, /http:\/\/(?:127\.0\.0\.1|localhost):\d+/)
  return {
    url: found,
    /** Terminates the program and its child processes. */
    stop: async (): Promise<void> => void (await stop()),
    /** Kills the program immediately, as in a crash. */
    kill: async (): Promise<void> => void (await stop('SIGKILL')),
  }
}
