import { execFile } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Builds and packs core, and unpacks it as an installer would; returns the folder with the `node_modules` that it is in. */
export async function packedCore(): Promise<string> {
  const folder = resolve('node_modules/.cache/storeport-bench/packed')
  const target = join(folder, 'node_modules/@storeport/core')
  await rm(folder, { recursive: true, force: true })
  await mkdir(target, { recursive: true })
  await run('npm', ['run', 'build', '-w', 'packages/core'])
  const { stdout } = await run('npm', ['pack', '-w', 'packages/core', '--pack-destination', folder, '--json'])
  const [packed]: { readonly filename: string }[] = Object.values(JSON.parse(stdout))
  if (packed === undefined) throw new Error('npm pack named no file')
  await run('tar', ['-xzf', join(folder, packed.filename), '-C', target, '--strip-components=1'])
  return folder
}
