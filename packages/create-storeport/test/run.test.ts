import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { projectFiles } from '../src/index.ts'
import { keys, runWith } from './terminal.ts'

let home = ''
let folder = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'create-storeport-'))
  folder = join(home, 'my-shop')
  onTestFinished(() => rmSync(home, { recursive: true }))
})

function read(file: string): string {
  return readFileSync(join(folder, file), 'utf8')
}

describe('create-storeport', () => {
  it('creates a project without prompts', async () => {
    const { code, text, errors } = await runWith([folder, '--framework', 'express', '--store', 'own'])
    expect([code, errors]).toEqual([0, ''])
    expect(text).toContain('npm install')
    expect(JSON.parse(read('package.json'))).toMatchObject({
      name: 'my-shop',
      allowScripts: { esbuild: true },
      dependencies: { express: expect.any(String) },
    })
    const files = projectFiles({ name: 'my-shop', framework: 'express', store: 'own', apiKey: '' })
    expect(new Set(readdirSync(folder))).toEqual(new Set([...files.keys()].map((path) => path.split('/')[0])))
  })

  it('uses defaults with --yes', async () => {
    expect((await runWith([folder, '--yes'])).code).toBe(0)
    expect(JSON.parse(read('package.json')).dependencies).toHaveProperty(['@storeport/node'])
    expect(read('README.md')).toContain('Node.js')
  })

  it.each([
    [['--framework', 'koa'], '--framework: must be one of node, express, fastify, next, hono, not "koa"'],
    [['--store', 'mongo'], '--store: must be one of own, sql, stripe, drizzle, prisma, not "mongo"'],
    [['--frmework', 'node'], "Unknown option '--frmework'. Did you mean --framework?"],
    [['--framework'], "'--framework <value>' argument missing"],
    [['other-shop'], 'unexpected argument "other-shop": pass a single folder'],
    [['--from', 'no-such-folder'], 'no-such-folder is not a clone of StorePort: packages/create-storeport is missing'],
    [[], 'Not an interactive terminal. Pass a folder, --framework and --store, or use --yes.'],
  ])('rejects the arguments %j', async (args, message) => {
    const { code, errors } = await runWith([folder, ...args])
    expect(errors).toContain(message)
    expect(code).toBe(2)
    expect(readdirSync(home)).toEqual([])
  })

  it('explains the missing -- if npm has read an option itself', async () => {
    vi.stubEnv('npm_config_framework', 'true')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { code, errors } = await runWith([folder, 'express'])
    expect([code, errors]).toEqual([2, expect.stringContaining('npm reads --framework itself. Put -- before')])
    expect(readdirSync(home)).toEqual([])
  })

  it.each([
    ['My Shop', 'such as my-shop'],
    ['.shop', 'such as shop'],
    ['Übersee', 'such as bersee'],
    ['node_modules', 'such as my-shop'],
    ['express', 'such as express-shop'],
    ['x'.repeat(215), 'is not a valid package name'],
  ])('rejects the name %s', async (name, message) => {
    const { code, errors } = await runWith([join(home, name), '--yes'])
    expect([code, errors]).toEqual([2, expect.stringContaining(message)])
    expect(readdirSync(home)).toEqual([])
  })

  it('rejects --from without an installed clone, and prints the output of npm if npm fails', async () => {
    const clone = join(home, 'clone')
    for (const name of ['core', 'create-storeport', 'node', 'conformance', 'host']) {
      mkdirSync(join(clone, 'packages', name), { recursive: true })
      writeFileSync(join(clone, 'packages', name, 'package.json'), `{ "name": "@storeport/${name}" }`)
    }
    const args = [folder, '--yes', '--from', clone]
    expect(await runWith(args)).toMatchObject({
      code: 2,
      errors: expect.stringContaining(`${clone} has no node_modules. Run npm ci`),
    })
    mkdirSync(join(clone, 'node_modules'))
    writeFileSync(join(clone, 'package.json'), '{ "scripts": { "build:stale": "echo the disk is full; exit 1" } }')
    expect(await runWith(args)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/npm run failed in \S+clone\. Nothing was written\.\n[^]*the disk is full/),
    })
    expect(existsSync(folder)).toBe(false)
  })

  it('prints the help text and the version', async () => {
    expect(await runWith(['--help'])).toMatchObject({
      code: 0,
      text: expect.stringContaining('npm create storeport@latest'),
    })
    expect(await runWith(['--version'])).toMatchObject({ code: 0, text: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  })
})

it('prints the reason in the log of the tests if a test file does not run', async () => {
  const reporter = fileURLToPath(new URL('../templates/base/test/reporter.js', import.meta.url))
  const file = join(home, 'broken.test.mjs')
  writeFileSync(file, "import './missing.mjs'")
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const run = promisify(execFile)(process.execPath, ['--test', '--test-reporter', reporter, file], { env })
  await expect(run).rejects.toMatchObject({
    stdout: expect.stringMatching(/Cannot find module .*missing.mjs[^]*# fail 1/),
  })
})

describe('create-storeport in a terminal', () => {
  it('prompts for missing choices', async () => {
    const { code, text, unanswered } = await runWith(
      [],
      [
        ['Project folder:', folder, keys.enter],
        ['Select a framework:', keys.down, keys.enter],
        ['Select a store:', keys.down, keys.enter],
      ],
    )
    expect([code, unanswered]).toEqual([0, 0])
    expect(text).toContain('PostgreSQL')
    expect(Object.keys(JSON.parse(read('package.json')).dependencies)).toEqual(
      expect.arrayContaining(['@storeport/express', '@storeport/store-sql']),
    )
    expect(read('.env')).toContain('DATABASE_URL=sqlite:')
  })

  it.each([
    [[], [['Project folder:', keys.controlC]]],
    [['shop'], [['Select a framework:', keys.controlC]]],
    [['shop', '--framework', 'node'], [['Select a store:', keys.controlC]]],
  ] as const)('writes nothing on Ctrl-C (%j)', async ([name, ...args], answers) => {
    const named = name === undefined ? [] : [join(home, name)]
    const { code, errors } = await runWith([...named, ...args], answers)
    expect([code, errors]).toEqual([1, 'create-storeport: cancelled. Nothing was written.\n'])
    expect(readdirSync(home)).toEqual([])
  })
})

describe('the project folder', () => {
  it('can exist if it contains only a Git repository', async () => {
    mkdirSync(join(folder, '.git'), { recursive: true })
    expect((await runWith([folder, '--yes'])).code).toBe(0)
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['.git', 'package.json']))
    expect(readdirSync(folder).filter((name) => name.startsWith('.new'))).toEqual([])
  })

  it('is rejected before any prompt if it is not empty', async () => {
    mkdirSync(folder)
    writeFileSync(join(folder, 'mine.txt'), 'mine')
    const { code, errors } = await runWith([folder], [['no such prompt', keys.enter]])
    expect([code, errors]).toEqual([
      1,
      expect.stringContaining('is not empty (it contains mine.txt). Choose another folder'),
    ])
    expect(readdirSync(folder)).toEqual(['mine.txt'])
  })

  it('cannot be a file or be inside a file', async () => {
    writeFileSync(folder, 'mine')
    expect(await runWith([folder, '--yes'])).toMatchObject({ code: 1, errors: expect.stringContaining('is a file') })
    expect(await runWith([join(folder, 'shop'), '--yes'])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('cannot be written (ENOTDIR). Choose another folder'),
    })
    expect(readFileSync(folder, 'utf8')).toBe('mine')
  })

  it('contains a new API key in a file that Git ignores and only its owner can read', async () => {
    await runWith([folder, '--yes'])
    const key = /^STOREPORT_API_KEY=([\w-]{32})$/m.exec(read('.env'))?.[1]
    expect(key).toBeDefined()
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600)
    expect(read('.gitignore').split('\n')).toContain('.env')
    expect(read('.env.example')).toMatch(/^STOREPORT_API_KEY=$/m)
    const other = join(home, 'other')
    await runWith([other, '--yes'])
    expect(readFileSync(join(other, '.env'), 'utf8')).not.toContain(key)
    expect(existsSync(join(folder, '_gitignore'))).toBe(false)
  })
})
