import { existsSync } from 'node:fs'

/** Debian's library folders, by architecture. */
const machines = ['x86_64-linux-gnu', 'aarch64-linux-gnu']

/**
 * Returns environment variables that set the system clock of a program to a time such as `2026-03-10T23:50:00Z`, from
 * which the clock continues to run. Does not affect the monotonic clock. Throws if libfaketime is missing.
 */
export function fakeClock(time: string): Readonly<Record<string, string>> {
  const library = machines
    .map((machine) => `/usr/lib/${machine}/faketime/libfaketime.so.1`)
    .find((path) => existsSync(path))
  if (library === undefined) throw new Error('libfaketime is not installed: apt-get install libfaketime')
  const seconds = (Date.parse(time) - Date.now()) / 1000
  return {
    LD_PRELOAD: library,
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    // A fix for old versions of glibc. With it, timed waits end at once, so that threads of Python hardly run.
    FAKETIME_FORCE_MONOTONIC_FIX: '0',
  }
}
