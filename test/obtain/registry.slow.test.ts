import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { runLine, startLine, userEnvironment } from '@storeport/testing/run-as-user'
import { commandsFor } from './read-commands.ts'
import { walkPage } from './walk-page.ts'

const root = resolve(import.meta.dirname, '../..')
const urlPattern = /http:\/\/(?:127\.0\.0\.1|localhost):\d+\/?/
const apiKey = 'a-key-of-the-tests-0001'

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'storeport-empty-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

describe('packages from npm run registry, in an empty folder', () => {
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
      // Accepts npm's prompts to install packages.
      npm_config_yes: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      // Retries, because third-party packages are downloaded from the network.
      npm_config_fetch_retries: '5',
      npm_config_fetch_retry_mintimeout: '1000',
      STOREPORT_API_KEY: apiKey,
    })
    shop = await startShop()
  }, 600_000)
  afterAll(async () => {
    await shop.stop()
    expect(await registry.stop()).toMatch(/stopped\n$/)
    rmSync(cache, { recursive: true })
  })

  function startShop() {
    const settings = { STOREPORT_API_KEYS: apiKey, STOREPORT_STORE: 'memory', STOREPORT_DATA: cache, PORT: '0' }
    return startLine(cache, 'npx @storeport/host', { ...env, ...settings }, urlPattern)
  }

  /** Replaces the placeholders of a documented command with the values of a running shop. */
  function onShop({ found }: { readonly found: string }, command: string): string {
    return command
      .replace(
        /https:\/\/(?:test\.)?shop\.example(?=\s|$)|http:\/\/(?:127\.0\.0\.1:8000|localhost:3000)/,
        found.replace(/\/$/, ''),
      )
      .replace(/--key (?:KEY|at-least-16-characters)/, `--key ${apiKey}`)
      .replace('STOREPORT_API_KEY=…', `STOREPORT_API_KEY=${apiKey}`)
      .replace(/(?<=--customer )\S+/, 'subscription@example.com')
      .replace(/(?<=--cancelled )\S+/, 'cancelled@example.com')
      .replace(/(?<=--other-customer )\S+/, 'another@example.com')
  }

  it.each(commandsFor('install'))('runs %s', async (command) => {
    // Resolves all packages without unpacking them. The tests of the README files unpack them.
    const { code, text } = await runLine(makeFolder(), command, { ...env, npm_config_package_lock_only: 'true' })
    expect(code, text).toBe(0)
  })

  it.each(commandsFor('create'))('runs %s', async (command) => {
    const folder = makeFolder()
    // Skips the prompts, because the test has no interactive terminal.
    const line = command.includes('--framework') ? command : `${command} -- --yes`
    expect(await runLine(folder, line, env)).toMatchObject({
      code: 0,
      text: expect.stringMatching(/Created (?:.*\/)?my-shop\. Next steps:/),
    })
    expect(existsSync(join(folder, 'my-shop/.env'))).toBe(true)
  })

  it.each(commandsFor('serve'))('runs %s', async (command) => {
    const server = await startLine(makeFolder(), onShop(shop, command), { ...env, PORT: '0' }, urlPattern)
    await server.stop()
  })

  it('runs the commands of the conformance guide in one folder', { timeout: 900_000 }, async () => {
    const folder = makeFolder()
    for (const command of commandsFor('check a shop')) {
      // Running all checks takes minutes, and other tests run them. One endpoint is enough to test the command.
      const isShort = /--(?:read-only|only|list|init)\b/.test(command)
      // A host delays responses after many invalid keys within a minute, so these commands use a separate host.
      const own = /--read-only|--only AUTH/.test(command) ? await startShop() : undefined
      const line = onShop(own ?? shop, command) + (isShort ? '' : ' --only listProducts')
      const { code, text } = await runLine(folder, line, env).finally(() => own?.stop())
      // Exit code 3: some checks could not run, for example because send-now succeeds only once per day.
      expect([0, 3], `${command} exited with ${code}:\n${text}`).toContain(code)
    }
  })

  it.each(['README.md', ...['express', 'fastify', 'node'].map((name) => `packages/${name}/README.md`)])(
    'returns a response after the steps in %s',
    { timeout: 900_000 },
    async (page) => {
      await walkPage(page, makeFolder(), env, async (url) => {
        const headers = { 'X-Integration-API-Key': 'at-least-16-characters' }
        const response = await fetch(`${url}/integration/upsells/products`, { headers })
        expect([page, response.status]).toEqual([page, 404])
      })
    },
  )

  it('completes the steps in packages/next/README.md in a Next.js project', { timeout: 900_000 }, async () => {
    const { dependencies }: { dependencies: object } = JSON.parse(readFileSync('tools/next/package.json', 'utf8'))
    const folder = makeFolder()
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
    await runLine(folder, 'npm install --save-dev typescript@5 @types/node@20 @types/react', env)
    await walkPage('packages/next/README.md', folder, env)
  })

  it('reaches READY with the files and commands of the tutorial', { timeout: 900_000 }, async () => {
    const { STOREPORT_API_KEY: _, ...withoutKey } = env
    expect(await walkPage('docs/guide/tutorial.md', makeFolder(), withoutKey)).toMatch(/^ *READY /m)
  })
})
