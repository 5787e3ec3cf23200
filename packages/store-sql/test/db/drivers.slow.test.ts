import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../../../../', import.meta.url))

it.each([
  ['libsql', 'openSqlStore({ url: "sqlite:shop.db" })'],
  ['libsql', 'backUpSqlite("sqlite:package.json", "copy.db")'],
  ['pg', 'openSqlStore({ url: "postgres://127.0.0.1/shop" })'],
])('reports the missing driver %s: %s', async (driver, call) => {
  const folder = await mkdtemp(join(tmpdir(), 'storeport-drivers-'))
  const modules = join(folder, 'node_modules')
  try {
    await mkdir(join(modules, '@storeport'), { recursive: true })
    for (const part of ['dist', 'package.json']) {
      const own = join('@storeport/store-sql', part)
      await cp(join(repository, 'packages/store-sql', part), join(modules, own), { recursive: true })
    }
    await cp(join(repository, 'package.json'), join(folder, 'package.json'))
    for (const name of ['core', 'rules']) {
      await symlink(join(repository, 'packages', name), join(modules, '@storeport', name))
    }
    for (const name of ['kysely', 'zod']) await symlink(join(repository, 'node_modules', name), join(modules, name))
    const script = `import { backUpSqlite, openSqlStore } from '@storeport/store-sql'
      await ${call}.then(() => console.log('done'), ({ name, message }) => console.log(name + ': ' + message))`
    const { stdout } = await promisify(execFile)('node', ['--input-type=module', '--eval', script], { cwd: folder })
    expect(stdout).toBe(`StoreOpenError: The database driver is missing. Run npm install ${driver}.\n`)
  } finally {
    await rm(folder, { recursive: true })
  }
})
