import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** Starts a compiled file in a process of its own, under another program where one is given with its arguments. */
export function forkChild(
  file: string,
  environment: Readonly<Record<string, string>> = {},
  [program, ...args]: readonly string[] = [],
): ChildProcess {
  return fork(file, {
    // Flags of the process that runs this, such as a loader of TypeScript, would cost the variants as well.
    execArgv: program === undefined ? [] : [...args, process.execPath],
    ...(program !== undefined && { execPath: program }),
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...environment },
  })
}

/** Waits for the next message of a child; throws when it ends instead. */
export async function waitForReply<Reply>(child: ChildProcess): Promise<Reply> {
  const ending = new AbortController()
  const { signal } = ending
  const death = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`${child.spawnfile} ${child.spawnargs.join(' ')} ended with ${code}`)
  })
  death.catch(() => {})
  try {
    const [message] = await Promise.race([once(child, 'message', { signal }), death])
    return message
  } finally {
    ending.abort()
  }
}

/** Ends a child at once, and waits until it is gone. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}
