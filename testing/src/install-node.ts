import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Additional Node versions that CI runs. */
export const otherNodeVersions = ['22.23.3', '24.21.0']

/**
 * Installs a version of Node and returns the path of its executable.
 *
 * Installs the npm package `node-<platform>-<arch>` into a separate folder. An executable in the repository's
 * node_modules/.bin would override the system's `node`.
 */
export function installNode(version: string): string {
  const folder = resolve(import.meta.dirname, '../../node_modules/.cache', `node-${version}`)
  const name = `node-${process.platform}-${process.arch}`
  const program = join(folder, 'node_modules', name, 'bin/node')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const args = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--prefer-offline']
  const { status } = spawnSync('npm', [...args, `${name}@${version}`], { stdio: 'inherit' })
  if (status !== 0 || !existsSync(program)) throw new Error(`Cannot install ${name}@${version}.`)
  return program
}
