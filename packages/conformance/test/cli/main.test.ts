import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { apiKey, startShop } from './start-server.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

async function command(words: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...words], { env: { ...process.env, ...env } })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (err += chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { code, out, err }
}

it('is a command: key from the environment, report on standard output, exit code', async () => {
  const url = await startShop()
  const { code, out, err } = await command([url, '--json', '--only', 'getDiscount'], {
    STOREPORT_API_KEY: apiKey,
    // Where CI is set, picocolors takes every output for one that shows colors.
    CI: 'true',
  })
  expect(JSON.parse(out)).toMatchObject({ verdict: null, counts: { failed: 0 } })
  expect(err).toContain('Chosen checks give no verdict')
  expect(out + err).not.toContain('\u001b')
  expect(code).toBe(0)
})

it('ends with 2 when its words are wrong', async () => {
  const { code, err } = await command(['--nonsense'], {})
  expect(err).toBe("storeport-conformance: Unknown option '--nonsense'\nSee storeport-conformance --help.\n")
  expect(code).toBe(2)
})
