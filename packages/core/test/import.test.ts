import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const core = fileURLToPath(new URL('../src/index.ts', import.meta.url))

it('loads node:crypto on the first request, not during import or createIntegration', async () => {
  expect(await isCryptoLoadedBy('')).toBe('false')
  const call =
    "await integration.fetch(new Request('http://localhost/integration', { headers: { [integration.apiKeyHeader]: key } }))"
  expect(await isCryptoLoadedBy(call)).toBe('true')
})

/** Runs in a separate process, because this process has already loaded node:crypto. */
async function isCryptoLoadedBy(call: string): Promise<string> {
  const contents = `
    import { createIntegration } from ${JSON.stringify(core)}
    const key = 'a-key-of-the-test-1234'
    const integration = createIntegration({ apiKeys: [key], store: { delaySubscription: async () => {} } })
    ${call}
    process.stdout.write(String(process.moduleLoadList.includes('NativeModule crypto')))`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  })
  const program = outputFiles[0]?.text ?? ''
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module'], { input: program, encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout
}
