import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const run = promisify(execFile)

/** What `npm run build` made, loaded as its users load it. */
const entries = readdirSync('packages').flatMap((folder) => {
  const manifest: { name: string; exports?: Record<string, unknown> } = JSON.parse(
    readFileSync(`packages/${folder}/package.json`, 'utf8'),
  )
  return Object.keys(manifest.exports ?? {})
    .filter((path) => path !== './package.json')
    .map((path) => manifest.name + path.slice(1))
})

describe.each(entries)('%s', (entry) => {
  it('exports the same to import and to require', async () => {
    const names = (load: string) =>
      `console.log(Object.keys(${load}).filter((name) => name !== 'default').sort().join())`
    const imported = await run('node', ['--input-type=module', '-e', names(`await import('${entry}')`)])
    const required = await run('node', ['--input-type=commonjs', '-e', names(`require('${entry}')`)])
    expect(imported.stdout.trim()).not.toBe('')
    expect(required.stdout).toBe(imported.stdout)
    expect(imported.stderr + required.stderr).toBe('')
  })
})
