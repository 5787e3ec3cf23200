import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dataFolder } from '@storeport/testing/start-host-process'
import { describe, expect, it } from 'vitest'
import { openSignIn } from '../src/settings/secrets.ts'

describe('the sign-in token', () => {
  it('is stored, and has a different cookie name for each folder and port', async () => {
    const [one, other] = [await dataFolder(), await dataFolder()]
    const first = await openSignIn(one)
    const again = await openSignIn(one)
    expect(again.token).toBe(first.token)
    expect(again.cookieName(3000)).toBe(first.cookieName(3000))
    const names = [first.cookieName(3000), first.cookieName(3001), (await openSignIn(other)).cookieName(3000)]
    expect(new Set(names).size).toBe(3)
    for (const name of names) expect(name).toMatch(/^storeport-[\da-f]{16}$/)
  })

  it.each([
    ['http://127.0.0.1:3000', 'http://localhost:3000'],
    ['http://0.0.0.0:3000', 'http://localhost:3000'],
    ['http://[::]:3000', 'http://localhost:3000'],
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
