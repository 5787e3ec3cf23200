import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface CommandResult {
  readonly code: number | null
  /** Combined standard output and standard error. */
  readonly text: string
}

/** Returns the environment of a user's shell, without the variables that npm and the test runner have set. */
export function userEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const env = { ...process.env, ...more }
  for (const name of Object.keys(process.env)) {
    if (/^(?:VITEST|JEST|npm_|NODE_(?:ENV|OPTIONS|PATH)|INIT_CWD|STOREPORT_)/i.test(name) && !(name in more))
      delete env[name]
  }
  return env
}

/** Runs a shell command in a folder and waits until it exits. */
export async function runLine(folder: string, line: string, env: NodeJS.ProcessEnv): Promise<CommandResult> {
  const child = spawn('sh', ['-c', line], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const text = collect(child)
  const [code] = await once(child, 'close')
  return { code, text: text() }
}

/** Runs code as a TypeScript module in a folder. */
export function runCode(folder: string, code: string, env: NodeJS.ProcessEnv = {}): Promise<CommandResult> {
  const line = 'node --import tsx --input-type=module --eval "$CODE"'
  return runLine(folder, line, { ...process.env, ...env, CODE: code })
}

/** Starts a command and waits for output matching `awaited`, if set. `stop` ends the command and returns its output. */
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
    child.once('close', () => reject(new Error(`${line} exited:\n${text()}`)))
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
