import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { listening } from '@storeport/testing/listen'
import { readCommands } from './read-commands.ts'
import { runLine, startLine, userEnvironment } from './run-as-user.ts'

const root = resolve(import.meta.dirname, '../..')
const address = /http:\/\/(?:127\.0\.0\.1|localhost):\d+\/?/
const apiKey = 'a-key-of-the-tests-0001'

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'storeport-empty-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

describe('from npm run registry, in an empty folder', () => {
  const cache = mkdtempSync(join(tmpdir(), 'storeport-cache-'))
  let registry: Awaited<ReturnType<typeof startLine>>
  let shop: Awaited<ReturnType<typeof startLine>>
  let env = userEnvironment()

  beforeAll(async () => {
    const line = 'npm run --silent registry -- --port 0'
    registry = await startLine(root, line, userEnvironment(), /export npm_config_registry=\S+/)
    env = userEnvironment({
      npm_config_registry: registry.found.replace(/^.*=/, ''),
      npm_config_cache: cache,
      // What somebody answers who is asked whether a package may be fetched.
      npm_config_yes: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      STOREPORT_API_KEY: apiKey,
    })
    const settings = { STOREPORT_API_KEYS: apiKey, STOREPORT_STORE: 'memory', STOREPORT_DATA: cache, PORT: '0' }
    shop = await startLine(cache, 'npx @storeport/host', { ...env, ...settings }, address)
  }, 600_000)
  afterAll(async () => {
    await shop.stop()
    expect(await registry.stop()).toMatch(/stopped\n$/)
    rmSync(cache, { recursive: true })
  })

  /** A command of the documents, about the shop that runs here. */
  function onThisShop(command: string): string {
    return command
      .replace(/https:\/\/(?:test\.)?shop\.example(?=\s|$)|http:\/\/127\.0\.0\.1:8000/, shop.found.replace(/\/$/, ''))
      .replace('--key KEY', `--key ${apiKey}`)
      .replace('STOREPORT_API_KEY=…', `STOREPORT_API_KEY=${apiKey}`)
      .replace(/(?<=--customer )\S+/, 'subscription@example.com')
      .replace(/(?<=--cancelled )\S+/, 'cancelled@example.com')
      .replace(/(?<=--neighbour )\S+/, 'another@example.com')
  }

  const commands = readCommands()
  const isServer = (command: string) => /@storeport\/host/.test(command) && command.startsWith('npx')
  const isKit = (command: string) => command.includes('npx @storeport/conformance')

  it('the documents have such commands of each kind', () => {
    const kinds = [/npm create/, /npm install/, /npx @storeport\/conformance/, /npx @storeport\/host/, /npx -p/]
    expect(kinds.filter((kind) => !commands.some((command) => kind.test(command)))).toEqual([])
  })

  it.each(commands.filter((command) => /^npm (?:install|i) /.test(command)))('%s', async (command) => {
    expect(await runLine(makeFolder(), command, env)).toMatchObject({ code: 0 })
  })

  it.each(commands.filter((command) => command.startsWith('npm create')))('%s', async (command) => {
    const folder = makeFolder()
    // Nobody is at the terminal to be asked.
    const line = command.includes('--framework') ? command : `${command} -- --yes`
    expect(await runLine(folder, line, env)).toMatchObject({
      code: 0,
      text: expect.stringContaining('my-shop is made'),
    })
    expect(existsSync(join(folder, 'my-shop/.env'))).toBe(true)
  })

  it.each(commands.filter(isServer))('%s', async (command) => {
    const server = await startLine(makeFolder(), onThisShop(command), { ...env, PORT: '0' }, address)
    await server.stop()
  })

  it('the kit, as its guide calls it: one command after the other in one folder', { timeout: 600_000 }, async () => {
    const folder = makeFolder()
    for (const command of commands.filter(isKit)) {
      // All checks take minutes, and pass in other tests: here one endpoint shows that the command runs.
      const isShort = /--(?:read-only|only|list|init)\b/.test(command)
      const { code, text } = await runLine(folder, onThisShop(command) + (isShort ? '' : ' --only listProducts'), env)
      // 3 says that something could not be tried: the same order, say, is sent once a day.
      expect([0, 3], `${command} ended with ${code}:\n${text}`).toContain(code)
    }
  })

  it('no command is of a kind that is not tried here', () => {
    const others = commands.filter((command) => !/^npm (?:install|i|create) /.test(command))
    expect(others.filter((command) => !isServer(command) && !isKit(command))).toEqual([])
  })

  it('a project installs, passes its test, starts and is READY', { timeout: 300_000 }, async () => {
    const folder = makeFolder()
    await runLine(folder, 'npm create storeport@latest my-shop -- --framework express --store own', env)
    await walk(join(folder, 'my-shop'), env)
  })
})

it('from a clone alone, in an empty folder: create-storeport --from', { timeout: 600_000 }, async () => {
  const folder = makeFolder()
  const env = userEnvironment({
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  })
  const command = join(root, 'packages/create-storeport/bin/create-storeport.js')
  const line = `node ${command} my-shop --from ${root} --framework hono --store sqlite`
  expect(await runLine(folder, line, env)).toMatchObject({ code: 0, text: expect.stringContaining('my-shop is made') })
  await walk(join(folder, 'my-shop'), env)
})

/** What the README of a project says. */
async function walk(folder: string, environment: NodeJS.ProcessEnv): Promise<void> {
  // The key is the one in the project's `.env`.
  const { STOREPORT_API_KEY: _, ...env } = environment
  for (const line of ['npm install', 'npm test', 'npm run types']) {
    const { code, text } = await runLine(folder, line, env)
    expect(code, `${line}:\n${text}`).toBe(0)
  }
  const server = await startLine(folder, 'npm start', { ...env, PORT: '0' }, address)
  try {
    const { text } = await runLine(folder, 'npm run check', { ...env, STOREPORT_URL: server.found })
    expect(text).toMatch(/^ *READY /m)
  } finally {
    await server.stop()
  }
}

describe('what stands in the way of npm run registry is said in a sentence', () => {
  const command = `${process.execPath} --import tsx scripts/registry.ts`

  it.each([
    ['--port 80000', 'registry: --port: "80000" is none; give a number up to 65535, or 0 for any free port'],
    ['--prot 1', "registry: Unknown option '--prot'"],
    ['--port 4871', 'registry: npm_config_registry is this registry itself: unset it in this shell'],
  ])('%s', async (words, sentence) => {
    const env = userEnvironment({ npm_config_registry: 'http://localhost:4871/' })
    const { code, text } = await runLine(root, `${command} ${words}`, env)
    expect([code, text.trim().split('\n').length, text]).toEqual([1, 1, expect.stringContaining(sentence)])
  })

  it('a port that is in use', async () => {
    const { url = '', stop } = await listening((_req, res) => void res.end())
    onTestFinished(async () => stop?.())
    const { port } = new URL(url)
    const { code, text } = await runLine(root, `${command} --port ${port}`, userEnvironment())
    expect([code, text]).toEqual([
      1,
      `registry: port ${port} is in use: end what listens there, or give another, such as --port 0\n`,
    ])
  })

  it('no network, when the registry is not installed yet', { timeout: 120_000 }, async () => {
    const clone = makeFolder()
    const needed = ['package.json', 'tsconfig.json', 'scripts', 'testing', 'tools/registry/package.json']
    for (const path of [...needed, 'tools/registry/package-lock.json', 'tools/registry/.npmrc']) {
      mkdirSync(dirname(join(clone, path)), { recursive: true })
      cpSync(join(root, path), join(clone, path), { recursive: true })
    }
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
    const settings = ['registry=http://127.0.0.1:1/', `cache=${join(clone, 'cache')}`, 'fetch-retries=0', '']
    appendFileSync(join(clone, 'tools/registry/.npmrc'), settings.join('\n'))
    const { code, text } = await runLine(clone, command, userEnvironment())
    expect([code, text.trim().split('\n').length]).toEqual([1, 1])
    expect(text).toBe('registry: verdaccio could not be installed from tools/registry: is there a network?\n')
  })
})
