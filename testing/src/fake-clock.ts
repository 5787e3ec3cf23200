import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A system clock that a test sets for running programs. Does not affect their monotonic clock. */
export interface FakeClock {
  /** Environment variables for a program that uses this clock. */
  readonly env: Readonly<Record<string, string>>
  /** Sets the clock to a time such as `2026-03-10T23:50:00Z`, from which the clock continues to run. */
  set(time: string): Promise<void>
  /** Runs `start` with `env` in the environment of this process, so that child processes inherit the clock. */
  startUnder<Started>(start: () => Promise<Started>): Promise<Started>
  /** Removes the files of the clock. Call `end` after the programs have exited. */
  end(): Promise<void>
}

/** Debian's library folders, by architecture. */
const machines = ['x86_64-linux-gnu', 'aarch64-linux-gnu']

/** Returns the path of libfaketime, or the reason if it is missing. Throws if CI=true. */
export function findFakeTime(): { readonly library: string } | { readonly missing: string } {
  const library = machines
    .map((machine) => `/usr/lib/${machine}/faketime/libfaketime.so.1`)
    .find((path) => existsSync(path))
  if (library !== undefined) return { library }
  const missing = 'libfaketime is not installed: apt-get install libfaketime'
  if (process.env['CI'] === 'true') throw new Error(missing)
  return { missing }
}

/** Creates a clock that starts at `time`. `library` is the path from `findFakeTime`. */
export async function startFakeClock(library: string, time: string): Promise<FakeClock> {
  const folder = await mkdtemp(join(tmpdir(), 'storeport-clock-'))
  // A database server runs as a different user and must be able to read the file.
  await chmod(folder, 0o755)
  const file = join(folder, 'offset')
  const set = async (to: string) => {
    const seconds = (Date.parse(to) - Date.now()) / 1000
    // Replaces the file atomically, so that a program never reads a partial number.
    await writeFile(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`)
    await rename(`${file}.new`, file)
  }
  await set(time)
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    // Without this setting, a program detects a change of the clock only after some seconds.
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    // A fix for old versions of glibc. With it, timed waits end at once, so that threads of Python hardly run.
    FAKETIME_FORCE_MONOTONIC_FIX: '0',
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
