import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { chmod, readdir, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataFolder, run, startHostProcess } from '@storeport/testing/start-host-process'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

vi.setConfig({ testTimeout: 90_000 })

/** A small disk with nothing on it; `undefined` where none can be mounted. */
function mountDisk(kilobytes: number): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'storeport-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
  return folder
}

async function endWith(host: Awaited<ReturnType<typeof startHostProcess>>, signal: NodeJS.Signals) {
  host.child.kill(signal)
  return host.exited
}

describe('a first start', () => {
  it('on a full disk says so and leaves nothing behind; the next one, with room, serves', async (context) => {
    const disk = mountDisk(4096)
    if (disk === undefined) return context.skip('no file system can be mounted here')
    const ballast = join(disk, 'ballast')
    try {
      writeFileSync(ballast, Buffer.alloc(8_388_608))
    } catch {
      // Now it is full.
    }
    const STOREPORT_DATA = join(disk, 'data')
    for (const store of ['memory', 'sqlite']) {
      const ended = await run({ PORT: '0', STOREPORT_DATA, STOREPORT_STORE: store }).exited
      expect(ended).toMatchObject({ code: 1, stdout: '' })
      expect(ended.stderr).toMatch(
        /^storeport: STOREPORT_DATA: .*data\/api-key cannot be written \(ENOSPC\)\. Free some space/,
      )
      expect(await readdir(STOREPORT_DATA)).toEqual([])
    }
    rmSync(ballast)
    const host = await startHostProcess({ STOREPORT_DATA })
    const key = (await readFile(join(STOREPORT_DATA, 'api-key'), 'utf8')).trim()
    const headers = { 'x-integration-api-key': key }
    expect((await fetch(`${host.url}/integration/upsells/products`, { headers })).status).toBe(200)
    expect((await endWith(host, 'SIGTERM')).code).toBe(0)
  })

  it('makes a folder and files that nobody else can open, and closes those that an older version left open', async () => {
    const STOREPORT_DATA = join(await dataFolder(), 'data')
    const expectClosed = async () => {
      const modes = await modesOf(STOREPORT_DATA)
      expect(Object.keys(modes)).toEqual(expect.arrayContaining(['.', 'api-key', 'token', 'store.db', 'store.db-wal']))
      for (const [name, mode] of Object.entries(modes)) {
        expect([name, mode]).toEqual([name, name === '.' ? 0o700 : 0o600])
      }
    }
    const first = await startHostProcess({ STOREPORT_DATA })
    await expectClosed()
    await endWith(first, 'SIGKILL')
    for (const name of await readdir(STOREPORT_DATA)) await chmod(join(STOREPORT_DATA, name), 0o644)
    const second = await startHostProcess({ STOREPORT_DATA })
    await expectClosed()
    await endWith(second, 'SIGTERM')
  })
})

/** The rights of a folder and of what is in it. */
async function modesOf(folder: string): Promise<Record<string, number>> {
  const names = ['.', ...(await readdir(folder))]
  const modes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mode & 0o777))
  return Object.fromEntries(names.map((name, index) => [name, modes[index] ?? 0]))
}
