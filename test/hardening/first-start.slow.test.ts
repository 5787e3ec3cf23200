import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { send } from '@storeport/testing/send'
import { hostForTest, run, startHostProcess } from '@storeport/testing/start-host-process'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

vi.setConfig({ testTimeout: 90_000 })

/** Mounts an empty file system of this size. Returns `undefined` if the process cannot mount a file system. */
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

/** Fills a disk with a file, and returns the path of the file. */
function fill(disk: string): string {
  const ballast = join(disk, 'ballast')
  try {
    writeFileSync(ballast, Buffer.alloc(33_554_432))
  } catch {
    // The write fails, because the file fills the disk.
  }
  return ballast
}

describe('first start', () => {
  it('exits without leaving files on a full disk, and starts after space is freed', async (context) => {
    const disk = mountDisk(4096)
    if (disk === undefined) return context.skip('the process cannot mount a file system')
    const ballast = fill(disk)
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
    const headers = { 'x-integration-api-key': (await readFile(join(STOREPORT_DATA, 'api-key'), 'utf8')).trim() }
    expect((await send(host.url, '/integration/upsells/products', { headers })).status).toBe(200)
    host.child.kill('SIGTERM')
    expect((await host.exited).code).toBe(0)
  })

  it('is not ready while changes fail on a full disk, and is ready again after space is freed', async (context) => {
    const disk = mountDisk(16_384)
    if (disk === undefined) return context.skip('the process cannot mount a file system')
    const host = await hostForTest({ STOREPORT_DATA: join(disk, 'data') })
    const statusOf = async (path: string, body?: object) => (await send(host.url, path, { body })).status
    let quantity = 0
    const add = (changes = {}) =>
      statusOf('/integration/upsells/add-product', {
        email: 'subscription@example.com',
        product_id: 'test_12345',
        quantity: 1 + (quantity++ % 9),
        one_time: quantity % 2 === 0,
        ...changes,
      })
    expect([await add(), await statusOf('/readyz')]).toEqual([200, 200])
    const ballast = fill(disk)
    for (let changed = 200; changed !== 503;) changed = await add()
    for (let probe = 0; probe < 20; probe += 1) {
      // A change may still fit into the space that a failed change left.
      await add()
      expect(await statusOf('/readyz')).toBe(503)
    }
    // The records of the rejected clicks are dropped.
    const addInvalid = async () => {
      expect(await add({ quantity: -1 })).toBe(400)
      return host.output.stdout
    }
    await expect.poll(addInvalid, { timeout: 20_000 }).toContain('Records of clicks are not stored')
    rmSync(ballast)
    await expect.poll(() => statusOf('/readyz'), { timeout: 10_000 }).toBe(200)
    expect(await add()).toBe(200)
    await expect.poll(() => host.output.stdout, { timeout: 10_000 }).toContain('Records of clicks are stored again')
    expect((await host.stop()).code).toBe(0)
  })
})
