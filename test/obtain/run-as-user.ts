import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** How a command ended. */
export interface Ended {
  /** Its exit code. */
  readonly code: number | null
  /** What it printed. */
  readonly text: string
}

/** The environment of somebody who runs a command in a shell: without what a test runner and npm have put into this one. */
export function userEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const env = { ...process.env, ...more }
  for (const name of Object.keys(process.env)) {
    if (/^(?:VITEST|npm_|NODE_ENV|INIT_CWD|STOREPORT_)/i.test(name) && !(name in more)) delete env[name]
  }
  return env
}

/** Runs a line of a shell in a folder, to its end. */
export async function runLine(folder: string, line: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  const child = spawn('sh', ['-c', line], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const text = collect(child)
  const [code] = await once(child, 'close')
  return { code, text: text() }
}

/** Starts a line of a shell and waits for what it prints, if told; `stop` ends it by a signal and answers with all that it printed. */
export async function startLine(folder: string, line: string, env: NodeJS.ProcessEnv, awaited?: RegExp) {
  const child = spawn('sh', ['-c', `exec ${line}`], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const text = collect(child)
  const closed = once(child, 'close')
  const found = await new Promise<string>((resolve, reject) => {
    if (awaited === undefined) return resolve('')
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', () => {
        const match = awaited.exec(text())
        if (match !== null) resolve(match[0])
      })
    }
    child.once('close', () => reject(new Error(`${line} ended:\n${text()}`)))
  })
  return {
    found,
    stop: async (signal: NodeJS.Signals = 'SIGTERM'): Promise<string> => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
        process.kill(-child.pid, signal)
      }
      await closed
      return text()
    },
  }
}

function collect({ stdout, stderr }: ChildProcess): () => string {
  let text = ''
  for (const stream of [stdout, stderr]) stream?.on('data', (data: Buffer) => (text += data.toString()))
  return () => text
}
