import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
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

describe('flags', () => {
  it('make a project without a question', async () => {
    const { code, text, faults } = await runWith([folder, '--framework', 'express', '--store', 'own'])
    expect([code, faults]).toEqual([0, ''])
    expect(text).toContain('npm install')
    expect(JSON.parse(read('package.json'))).toMatchObject({
      name: 'my-shop',
      dependencies: { express: expect.any(String) },
    })
    expect(readdirSync(folder).toSorted()).toEqual(
      [
        '.dockerignore',
        '.env',
        '.env.example',
        '.gitignore',
        'Dockerfile',
        'README.md',
        'conformance-profile.json',
        'integration.ts',
        'package.json',
        'pictures.ts',
        'server.ts',
        'stop-on-signal.ts',
        'store.ts',
        'test',
        'tsconfig.json',
      ].toSorted(),
    )
  })

  it('leave the rest to --yes', async () => {
    expect((await runWith([folder, '--yes'])).code).toBe(0)
    expect(JSON.parse(read('package.json')).dependencies).toHaveProperty(['@storeport/node'])
    expect(read('README.md')).toContain('Node alone')
  })

  it.each([
    [['--framework', 'koa'], '"koa" is none of node, express, next, fastify, hono, worker'],
    [['--store', 'mongo'], '"mongo" is none of own, sqlite, postgres'],
    [['--framework', 'worker', '--store', 'sqlite'], 'choose --store own for it, or another --framework'],
    [['--framework', 'worker', '--store', 'postgres'], 'choose --store own for it, or another --framework'],
    [['--frmework', 'node'], "Unknown option '--frmework'"],
    [['--framework'], "'--framework <value>' argument missing"],
    [['other-shop'], '"other-shop" is one too many'],
    [['--from', 'no-such-folder'], 'no-such-folder is no clone of StorePort: it has no packages/create-storeport'],
    [[], 'name a folder, --framework and --store, or give --yes'],
  ])('%j are refused when they cannot work', async (words, message) => {
    const { code, faults } = await runWith([folder, ...words])
    expect(faults).toContain(message)
    expect(code).toBe(2)
    expect(readdirSync(home)).toEqual([])
  })

  it.each([
    ['My Shop', 'such as my-shop'],
    ['.shop', 'such as shop'],
    ['Übersee', 'such as bersee'],
    ['node_modules', 'such as my-shop'],
    ['express', 'such as express-shop'],
    ['x'.repeat(215), 'cannot be the name of a package'],
  ])('%s is refused as a name', async (name, message) => {
    const { code, faults } = await runWith([join(home, name), '--yes'])
    expect([code, faults]).toEqual([2, expect.stringContaining(message)])
    expect(readdirSync(home)).toEqual([])
  })

  it('--from wants a clone in which npm ci has run, and says what of npm failed', async () => {
    const clone = join(home, 'clone')
    for (const name of ['core', 'create-storeport', 'node', 'conformance', 'host']) {
      mkdirSync(join(clone, 'packages', name), { recursive: true })
      writeFileSync(join(clone, 'packages', name, 'package.json'), `{ "name": "@storeport/${name}" }`)
    }
    const words = [folder, '--yes', '--from', clone]
    expect(await runWith(words)).toMatchObject({
      code: 2,
      faults: expect.stringContaining(`${clone} has no node_modules: run npm ci there first`),
    })
    mkdirSync(join(clone, 'node_modules'))
    writeFileSync(join(clone, 'package.json'), '{ "scripts": { "build:stale": "echo the disk is full; exit 1" } }')
    expect(await runWith(words)).toMatchObject({
      code: 1,
      faults: expect.stringMatching(/npm run failed in \S+clone, and nothing was written:\n[^]*the disk is full/),
    })
    expect(existsSync(folder)).toBe(false)
  })

  it('tell what there is, and the version', async () => {
    expect(await runWith(['--help'])).toMatchObject({
      code: 0,
      text: expect.stringContaining('npm create storeport@latest'),
    })
    expect(await runWith(['--version'])).toMatchObject({ code: 0, text: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  })
})

describe('questions', () => {
  it('are asked for what is not known', async () => {
    const { code, text, unanswered } = await runWith(
      [],
      [
        ['which folder', folder, keys.enter],
        ['Which server', keys.down, keys.enter],
        ['Which store', keys.down, keys.enter],
      ],
    )
    expect([code, unanswered]).toEqual([0, 0])
    expect(text).toContain('PostgreSQL')
    expect(Object.keys(JSON.parse(read('package.json')).dependencies)).toEqual(
      expect.arrayContaining(['@storeport/express', '@storeport/store-sql']),
    )
    expect(read('.env')).toContain('DATABASE_URL=sqlite:')
  })

  it('say why a Worker has no choice of stores', async () => {
    const { code, text } = await runWith([folder], [['Which server', ...Array<string>(5).fill(keys.down), keys.enter]])
    expect([code, text]).toEqual([0, expect.stringContaining('need Node, which a Worker is not')])
    expect(readdirSync(folder)).toContain('worker.ts')
  })

  it('offer no Worker for a store that needs Node', async () => {
    const { text } = await runWith([folder, '--store', 'sqlite'], [['Which server', keys.enter]])
    expect(text).toContain('Fastify')
    expect(text).not.toContain('Worker')
  })

  it.each([
    [[], [['which folder', keys.controlC]]],
    [['shop'], [['Which server', keys.controlC]]],
    [['shop', '--framework', 'node'], [['Which store', keys.controlC]]],
  ] as const)('%j: Ctrl-C leaves nothing', async ([name, ...words], answers) => {
    const named = name === undefined ? [] : [join(home, name)]
    const { code, faults } = await runWith([...named, ...words], answers)
    expect([code, faults]).toEqual([1, 'create-storeport: stopped, and nothing was written\n'])
    expect(readdirSync(home)).toEqual([])
  })
})

describe('the folder', () => {
  it('may be there, empty but for a repository', async () => {
    mkdirSync(join(folder, '.git'), { recursive: true })
    expect((await runWith([folder, '--yes'])).code).toBe(0)
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['.git', 'package.json']))
    expect(readdirSync(folder).filter((name) => name.startsWith('.new'))).toEqual([])
  })

  it('is left alone when it holds something, before any question', async () => {
    mkdirSync(folder)
    writeFileSync(join(folder, 'mine.txt'), 'mine')
    const { code, faults } = await runWith([folder], [['never asked', keys.enter]])
    expect([code, faults]).toEqual([
      1,
      expect.stringContaining('is not empty (it holds mine.txt): choose another folder'),
    ])
    expect(readdirSync(folder)).toEqual(['mine.txt'])
  })

  it('cannot be a file, or lie in one', async () => {
    writeFileSync(folder, 'mine')
    expect(await runWith([folder, '--yes'])).toMatchObject({ code: 1, faults: expect.stringContaining('is a file') })
    expect(await runWith([join(folder, 'shop'), '--yes'])).toMatchObject({
      code: 1,
      faults: expect.stringContaining('cannot be written (ENOTDIR): choose another folder'),
    })
    expect(readFileSync(folder, 'utf8')).toBe('mine')
  })

  it('holds a key of its own that nobody else can read, and that git does not take', async () => {
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
