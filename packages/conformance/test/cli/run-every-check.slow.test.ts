import { expect, it } from 'vitest'
import { command } from './command.ts'
import { startShop } from './start-server.ts'

it('a shop that is right passes every check of every mode', { timeout: 180_000 }, async () => {
  const url = await startShop()
  for (const [mode, verdict] of [
    ['--read-only', 'NOT TRIED'],
    ['--stress', 'READY'],
  ] as const) {
    const { code, out } = await command([url, mode])
    expect(out).not.toMatch(/^ +[✗!]/m)
    expect(out).toContain(`\n  ${verdict}  `)
    expect(code).toBe(0)
  }
})
