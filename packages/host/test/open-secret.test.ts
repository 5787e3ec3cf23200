import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dataFolder } from '@storeport/testing/start-host-process'
import { describe, expect, it } from 'vitest'
import { openKeys, openSecret, openSignIn, restrictDataFolder } from '../src/settings/secrets.ts'

async function newFolder(): Promise<string> {
  return join(await dataFolder(), 'data')
}

describe('a secret in the data folder', () => {
  it('is created once, with owner-only permissions and no leftover temporary files', async () => {
    const folder = await newFolder()
    const created = await openSecret(folder, 'api-key')
    expect(created).toMatchObject({ isNew: true, value: expect.stringMatching(/^[\w-]{32}$/) })
    expect(await openSecret(folder, 'api-key')).toEqual({ ...created, isNew: false })
    expect(await readdir(folder)).toEqual(['api-key'])
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(created.file)).mode & 0o777).toBe(0o600)
  })

  it('is the same for hosts that start concurrently', async () => {
    const folder = await newFolder()
    const opened = await Promise.all(Array.from({ length: 20 }, () => openSecret(folder, 'api-key')))
    expect(new Set(opened.map(({ value }) => value)).size).toBe(1)
    expect(opened.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(await readdir(folder)).toEqual(['api-key'])
  })

  it.each(['', '\n', '  \n'])(
    'is rejected if it is empty (%j), with an error that contains its path and a fix',
    async (text) => {
      const folder = await dataFolder()
      const file = join(folder, 'api-key')
      await writeFile(file, text)
      await expect(openKeys(undefined, folder)).rejects.toThrow(
        `STOREPORT_DATA: ${file} is empty. Delete it to create a new secret`,
      )
      expect(await readFile(file, 'utf8')).toBe(text)
    },
  )

  it.each(['api-key', 'token'])('is rejected if %s is a link, and leaves the linked file unchanged', async (name) => {
    const folder = await dataFolder()
    const outside = join(await dataFolder(), 'outside')
    await writeFile(outside, 'a-key-of-the-tests-0001\n')
    await chmod(outside, 0o644)
    await symlink(outside, join(folder, name))
    await expect(openSecret(folder, name)).rejects.toThrow(
      `STOREPORT_DATA: ${join(folder, name)} is a link or a folder`,
    )
    expect((await stat(outside)).mode & 0o777).toBe(0o644)
  })
})

describe('the sign-in token', () => {
  it.each([
    ['http://127.0.0.1:3000', 'http://localhost:3000'],
    ['http://[::1]:3000', 'http://localhost:3000'],
    ['http://192.0.2.1:3000', 'http://192.0.2.1:3000'],
    ['http://127.0.0.12:3000', 'http://127.0.0.12:3000'],
  ])('is part of the sign-in URL for %s', async (url, shown) => {
    const { token, signInUrl } = await openSignIn(await dataFolder())
    expect(signInUrl(url)).toBe(`${shown}/?token=${token}`)
  })

  it('is rejected if a cookie cannot contain it, with an error that contains its file path', async () => {
    const folder = await dataFolder()
    await writeFile(join(folder, 'token'), 'two words; and more')
    await expect(openSignIn(folder)).rejects.toThrow(
      `${join(folder, 'token')} does not contain a valid token. Delete the file`,
    )
  })
})

describe('a data folder', () => {
  it.each([
    { mode: 0o777, after: 0o700, line: 'Its mode is now 0700.' },
    { mode: 0o770, after: 0o700, line: 'Its mode is now 0700.' },
    { mode: 0o1777, after: 0o1777, line: 'Use a folder that only this user can write to.' },
    { mode: 0o755, after: 0o755, line: undefined },
  ])('has mode $after after the check if its initial mode is $mode', async ({ mode, after, line }) => {
    const folder = await dataFolder()
    await chmod(folder, mode)
    const warning = await restrictDataFolder(folder)
    expect(warning).toEqual(line && `STOREPORT_DATA: other users could write to ${folder}. ${line}`)
    expect((await stat(folder)).mode & 0o7777).toBe(after)
  })
})
