import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The versions of Node that CI runs besides its own. */
export const otherNodeVersions = ['22.23.3', '24.21.0']

/**
 * The program of a version of Node, out of the package that the npm package `node` installs by a script.
 *
 * It is in a folder of its own: in the repository's node_modules/.bin it would take the place of the system's `node`.
 */
export function installNode(version: string): string {
  const folder = resolve(import.meta.dirname, '../../node_modules/.cache', `node-${version}`)
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const program = join(folder, 'node_modules', name, process.platform === 'win32' ? 'bin/node.exe' : 'bin/node')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const words = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--prefer-offline']
  const { status } = spawnSync('npm', [...words, `${name}@${version}`], { stdio: 'inherit' })
  if (status !== 0 || !existsSync(program)) throw new Error(`${name}@${version} could not be installed`)
  return program
}
