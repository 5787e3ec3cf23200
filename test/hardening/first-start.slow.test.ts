import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { dataFolder, startHostProcess } from '@storeport/testing/start-host-process'
import { describe, expect, it, vi } from 'vitest'

vi.setConfig({ testTimeout: 90_000 })

async function stopWith(host: Awaited<ReturnType<typeof startHostProcess>>, signal: NodeJS.Signals) {
  host.child.kill(signal)
  return host.exited
}

describe('first start', () => {
  it('creates a folder and files with private permissions, and fixes the permissions of existing files', async () => {
    const STOREPORT_DATA = join(await dataFolder(), 'data')
    const expectPrivate = async () => {
      const modes = await modesOf(STOREPORT_DATA)
      expect(Object.keys(modes)).toEqual(expect.arrayContaining(['.', 'api-key', 'token', 'store.db', 'store.db-wal']))
      for (const [name, mode] of Object.entries(modes)) {
        expect([name, mode]).toEqual([name, name === '.' ? 0o700 : 0o600])
      }
    }
    const first = await startHostProcess({ STOREPORT_DATA })
    await expectPrivate()
    await stopWith(first, 'SIGKILL')
    for (const name of await readdir(STOREPORT_DATA)) await chmod(join(STOREPORT_DATA, name), 0o644)
    const second = await startHostProcess({ STOREPORT_DATA })
    await expectPrivate()
    await stopWith(second, 'SIGTERM')
  })
})

async function modesOf(folder: string): Promise<Record<string, number>> {
  const names = ['.', ...(await readdir(folder))]
  const modes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mode & 0o777))
  return Object.fromEntries(names.map((name, index) => [name, modes[index] ?? 0]))
}
