import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { runLine, userEnvironment } from './run-as-user.ts'

const tools = resolve(import.meta.dirname, '../../tools')

/**
 * Installs the packages of `tools/<name>` unless they are already installed. The repository's `npm ci` omits them.
 * Returns a `require` function that resolves the packages.
 *
 * Installs into a temporary folder and then moves the result, so that concurrent tests never see a partial result.
 */
export async function installTool(name: string): Promise<NodeJS.Require> {
  const folder = join(tools, name)
  if (!(await isInstalled(folder))) await install(folder)
  return createRequire(join(folder, 'package.json'))
}

/** Installs a tool and links its `node_modules` into a folder, so that programs there can import its packages. */
export async function linkTool(name: string, folder: string): Promise<NodeJS.Require> {
  const find = await installTool(name)
  const [installed = ''] = find.resolve.paths(name) ?? []
  try {
    await symlink(installed, join(folder, 'node_modules'), 'junction')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return find
}

async function install(folder: string): Promise<void> {
  const staging = await mkdtemp(join(folder, '.installing-'))
  try {
    for (const file of ['package.json', 'package-lock.json', '.npmrc'])
      await cp(join(folder, file), join(staging, file))
    const line = 'npm ci --no-audit --no-fund --prefer-offline'
    const { code, text } = await runLine(staging, line, userEnvironment())
    if (code !== 0) throw new Error(`${line} failed in ${staging}:\n${text}`)
    await cp(join(folder, 'package-lock.json'), join(staging, 'node_modules/.installed.json'))
    if (await isInstalled(folder)) return
    // Removes packages that were installed from an older lock file.
    await rm(join(folder, 'node_modules'), { recursive: true, force: true })
    await rename(join(staging, 'node_modules'), join(folder, 'node_modules'))
  } catch (error) {
    if (!(await isInstalled(folder))) throw error
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

async function isInstalled(folder: string): Promise<boolean> {
  const installed = join(folder, 'node_modules/.installed.json')
  if (!existsSync(installed)) return false
  return (await readFile(installed, 'utf8')) === (await readFile(join(folder, 'package-lock.json'), 'utf8'))
}
