import { describeDatabases } from '@storeport/testing/stores/describe-databases'
import { dataFolder } from '@storeport/testing/start-host-process'
import { expect, it, vi } from 'vitest'
import { billCommand, resetCommand, seedCommand } from '../src/database-commands.ts'
import { historyCommand } from '../src/history/history-command.ts'
import { openHostWithStore } from './open-host.ts'

const live = 'https://shop.example'
const staging = 'https://staging.shop.example'

await describeDatabases('the public URL of a database', (database) => {
  /** Starts a host with a public URL. */
  function open(url: string, publicUrl?: string, previousUrl?: string) {
    const urls = { STOREPORT_STORE: url, STOREPORT_PUBLIC_URL: publicUrl, STOREPORT_PREVIOUS_URL: previousUrl }
    return openHostWithStore({ STOREPORT_PLAYGROUND: 'off', ...urls })
  }

  it('prevents the start of a host with another URL, until STOREPORT_PREVIOUS_URL is the stored URL', async () => {
    const url = await database.create()
    await (await open(url, live)).close()
    const reason = `the database was last used under ${live}, not ${staging}. If no other host uses this database, set STOREPORT_PREVIOUS_URL to ${live}.`
    await expect(open(url, staging)).rejects.toThrow(`STOREPORT_PUBLIC_URL: ${reason}`)
    await expect(open(url, staging, 'https://other.example')).rejects.toThrow(reason)
    await (await open(url, staging, live)).close()
    // The setting can stay, and the database now belongs to the new URL.
    await (await open(url, staging, live)).close()
    await (await open(url, staging)).close()
    await expect(open(url, live)).rejects.toThrow(`was last used under ${staging}, not ${live}`)
  })

  it('also prevents commands', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {})
    const url = await database.create()
    await (await open(url, live)).close()
    const env = { STOREPORT_STORE: url, STOREPORT_DATA: await dataFolder(), STOREPORT_PUBLIC_URL: staging }
    const commands = [
      (given: typeof env) => billCommand([], given, new AbortController().signal),
      (given: typeof env) => seedCommand(['--customers', '1'], given),
      (given: typeof env) => resetCommand([], given),
      (given: typeof env) => historyCommand(['subscription@example.com'], given),
    ]
    for (const command of commands)
      await expect(command(env)).rejects.toThrow(`last used under ${live}, not ${staging}`)
    await billCommand([], { ...env, STOREPORT_PREVIOUS_URL: live }, new AbortController().signal)
    await (await open(url, staging)).close()
  })

  it('is compared without letter case, default port and trailing slash, and only if it is set', async () => {
    const url = await database.create()
    for (const publicUrl of [undefined, live, 'https://SHOP.example:443/', undefined, live]) await open(url, publicUrl)
  })
})
