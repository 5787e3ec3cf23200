import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runLine, startLine, userEnvironment } from '@storeport/testing/run-as-user'
import { commandsFor } from './read-commands.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 })

const apiKey = 'a-key-of-the-tests-0001'

/** Returns whether a command creates a project next to the clone. */
const isProject = (command: string) => command.includes('--from')
const isStart = (command: string) => command === 'npm ci && npm start'

describe('fresh clone', () => {
  const parent = mkdtempSync(join(tmpdir(), 'storeport-clone-'))
  const clone = join(parent, 'clone')
  const env = userEnvironment({
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    STOREPORT_API_KEYS: apiKey,
    STOREPORT_API_KEY: apiKey,
  })
  let host: Awaited<ReturnType<typeof startLine>>

  beforeAll(async () => {
    expect(await runLine(parent, `git clone --quiet ${resolve('.')} clone`, env)).toMatchObject({ code: 0 })
    const start = commandsFor('in a clone').find(isStart) ?? 'exit 1'
    host = await startLine(clone, `sh -c '${start}'`, { ...env, PORT: '0' }, /http:\/\/\S+(?=\/\?token=)/)
  })
  afterAll(async () => {
    const output = await host.stop('SIGINT')
    rmSync(parent, { recursive: true })
    expect(output).toMatch(/stopped/)
  })

  it('serves the seeded store, the playground and the API description after the first README command', async () => {
    const { text } = await runLine(clone, 'cat .storeport/token', env)
    const paths = ['/healthz', '/readyz', '/docs', '/openapi.json', `/?token=${text.trim()}`]
    for (const path of paths) expect([path, (await fetch(host.found + path)).status]).toEqual([path, 200])
    const headers = { 'X-Integration-API-Key': apiKey }
    const response = await fetch(`${host.found}/integration/upsells/products`, { headers })
    expect(await response.json()).toMatchObject({ success: true, data: { products: [{ id: 'test_12345' }, {}, {}] } })
  })

  const others = commandsFor('in a clone').filter((command) => !isStart(command))

  it.each(others.filter((command) => !isProject(command)))('runs %s', async (command) => {
    // Seeds 2,000 customers instead of 100,000, to save time.
    const line = command
      .replace('https://shop.example', host.found)
      .replace('KEY', apiKey)
      .replace('100000', '2000')
      .replace(/ N$/, ' 20')
      // There is no terminal for the question.
      .replace(/ reset$/, ' reset --yes')
    const { code, text } = await runLine(clone, line.startsWith('npx') ? line : `npx ${line}`, env)
    expect(code, `${line} exited with ${code}:\n${text}`).toBe(0)
  })

  it.each(others.filter(isProject))('creates a project with %s', async (command) => {
    const folder = command.startsWith('node') ? parent : clone
    const line = command.replaceAll('path/to/clone', 'clone')
    expect(await runLine(folder, `${line} --yes`, env)).toMatchObject({
      code: 0,
      text: expect.stringMatching(/Created (?:.*\/)?my-shop\. Next steps:/),
    })
    expect(existsSync(join(parent, 'my-shop/.env'))).toBe(true)
    rmSync(join(parent, 'my-shop'), { recursive: true })
  })
})
