import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

const tools = resolve(import.meta.dirname, '../../tools')

/**
 * Installs a tool of `tools/<name>`, which `npm ci` does not, unless it is there as its lock file says; answers with a `require`
 * that finds it.
 *
 * It is installed next to its place and then moved there, so that of two tests which install it at once neither sees half of it.
 */
export async function installTool(name: string): Promise<NodeJS.Require> {
  const folder = join(tools, name)
  if (!(await isInstalled(folder))) await install(folder)
  return createRequire(join(folder, 'package.json'))
}

async function install(folder: string): Promise<void> {
  const beside = await mkdtemp(join(folder, '.installing-'))
  try {
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) await cp(join(folder, file), join(beside, file))
    await npm(beside, ['ci', '--no-audit', '--no-fund', '--prefer-offline'])
    await cp(join(folder, 'package-lock.json'), join(beside, 'node_modules/.installed.json'))
    if (await isInstalled(folder)) return
    // What another lock file said goes first.
    await rm(join(folder, 'node_modules'), { recursive: true, force: true })
    await rename(join(beside, 'node_modules'), join(folder, 'node_modules'))
  } catch (error) {
    if (!(await isInstalled(folder))) throw error
  } finally {
    await rm(beside, { recursive: true, force: true })
  }
}

async function isInstalled(folder: string): Promise<boolean> {
  const installed = join(folder, 'node_modules/.installed.json')
  if (!existsSync(installed)) return false
  return (await readFile(installed, 'utf8')) === (await readFile(join(folder, 'package-lock.json'), 'utf8'))
}

async function npm(cwd: string, words: readonly string[]): Promise<void> {
  // What npm tells a script of the repository is not meant for this folder.
  const env = { ...process.env }
  for (const name of Object.keys(env)) if (name.toLowerCase().startsWith('npm_')) delete env[name]
  const child = spawn('npm', words, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.on('data', (data: Buffer) => (output += data.toString()))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`npm ${words.join(' ')} failed in ${cwd}:\n${output}`)
}
