import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const executablePath = '/usr/bin/chromium'

/** Why browser tests cannot run here; `undefined` where they can, and in CI, where they must. */
export const noBrowser: string | undefined =
  existsSync(executablePath) || process.env['CI'] === 'true' ? undefined : `there is no ${executablePath}`

/** Starts Debian's Chromium with a profile of its own, which is deleted with it. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    chromiumSandbox: false,
    args: [
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-quic',
    ],
  })
}
