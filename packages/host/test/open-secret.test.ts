import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dataFolder } from '@storeport/testing/start-host-process'
import { describe, expect, it } from 'vitest'
import { openKeys, openSecret } from '../src/settings/secrets.ts'

async function folderInside(): Promise<string> {
  return join(await dataFolder(), 'data')
}

describe('a secret of the data folder', () => {
  it('is made once, for its owner alone, and nothing else is left in the folder', async () => {
    const folder = await folderInside()
    const made = await openSecret(folder, 'api-key')
    expect(made).toMatchObject({ isNew: true, value: expect.stringMatching(/^[\w-]{32}$/) })
    expect(await openSecret(folder, 'api-key')).toEqual({ ...made, isNew: false })
    expect(await readdir(folder)).toEqual(['api-key'])
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(made.file)).mode & 0o777).toBe(0o600)
  })

  it('is the same for all that start at once', async () => {
    const folder = await folderInside()
    const opened = await Promise.all(Array.from({ length: 20 }, () => openSecret(folder, 'api-key')))
    expect(new Set(opened.map(({ value }) => value)).size).toBe(1)
    expect(opened.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(await readdir(folder)).toEqual(['api-key'])
  })

  it.each(['', '\n', '  \n'])('that is empty (%j) is refused by its name, with what to do', async (text) => {
    const folder = await dataFolder()
    const file = join(folder, 'api-key')
    await writeFile(file, text)
    await expect(openKeys(undefined, folder)).rejects.toThrow(
      `STOREPORT_DATA: ${file} is empty: delete it to have another made`,
    )
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  it('that others may read is for its owner alone from then on', async () => {
    const folder = await dataFolder()
    const file = join(folder, 'api-key')
    await writeFile(file, 'a-key-of-the-tests-0001\n')
    await chmod(file, 0o644)
    expect((await openKeys(undefined, folder)).accepted).toEqual(['a-key-of-the-tests-0001'])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })
})
