import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A clock that a test sets while programs run by it; their monotonic clock is the machine's. */
export interface FakeClock {
  /** The environment of a program that runs by this clock. */
  readonly env: Readonly<Record<string, string>>
  /** Sets the clock, as `2026-03-10T23:50:00Z`; it goes on from there. */
  set(time: string): Promise<void>
  /** Starts a program that inherits this process's environment with this clock in it. */
  startUnder<Started>(start: () => Promise<Started>): Promise<Started>
  /** Removes what the clock is kept in, when its programs have ended. */
  end(): Promise<void>
}

/** Where Debian puts the library, by machine. */
const machines = ['x86_64-linux-gnu', 'aarch64-linux-gnu']

/** Whether libfaketime is there; the reason where it is not. CI has to have it. */
export function findFakeTime(): { readonly library: string } | { readonly missing: string } {
  const library = machines
    .map((machine) => `/usr/lib/${machine}/faketime/libfaketime.so.1`)
    .find((path) => existsSync(path))
  if (library !== undefined) return { library }
  const missing = 'libfaketime is not installed: apt-get install libfaketime'
  if (process.env['CI'] === 'true') throw new Error(missing)
  return { missing }
}

/** Makes a clock that shows a time; `library` is what `findFakeTime` found. */
export async function startFakeClock(library: string, time: string): Promise<FakeClock> {
  const folder = await mkdtemp(join(tmpdir(), 'storeport-clock-'))
  // A database server runs as another user, who must read it.
  await chmod(folder, 0o755)
  const file = join(folder, 'offset')
  const set = async (to: string) => {
    const seconds = (Date.parse(to) - Date.now()) / 1000
    // A program that looks at it in the middle of a change must not see half of a number.
    await writeFile(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`)
    await rename(`${file}.new`, file)
  }
  await set(time)
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    // Without it a program would follow a change only seconds later.
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  return {
    env,
    set,
    startUnder: async (start) => {
      const before = Object.keys(env).map((name) => [name, process.env[name]] as const)
      Object.assign(process.env, env)
      try {
        return await start()
      } finally {
        for (const [name, value] of before) {
          if (value === undefined) Reflect.deleteProperty(process.env, name)
          else process.env[name] = value
        }
      }
    },
    end: () => rm(folder, { recursive: true, force: true }),
  }
}
