import { execFile } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { makeFolder } from '@storeport/testing/make-folder'
import { listPublishedPackages, packPackages } from '@storeport/testing/published-packages'
import { beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const tsc = resolve('node_modules/typescript/bin/tsc')

const published = listPublishedPackages()
const entries = published.flatMap(({ name, exports }) => Object.keys(exports).map((path) => name + path.slice(1)))

/** Loads each entry with `require` and `import`, and prints whether both return the same module. */
const consumer = `
async function main() {
  for (const entry of ${JSON.stringify(entries)}) {
    console.log(entry, require(entry) === (await import(entry)))
  }
}
void main()
`

/** Code with one endpoint, for an edge runtime. */
const edgeProgram = `
  import { createIntegration } from '@storeport/core'
  export default createIntegration({ apiKeys: ['bench-key-0123456789abcdef'], store: { delaySubscription: async () => {} } })`

/** Code for a project in which only the packed packages are installed. */
const program = `
import { createIntegration, type StorePort } from '@storeport/core'
import { buildOpenApi } from '@storeport/core/openapi'
import { serve } from '@storeport/node'
import { createMemoryStore } from '@storeport/store-memory'

async function main(): Promise<void> {
  const apiKey = 'a-key-of-the-tests-0001'
  const store: StorePort = createMemoryStore({ today: '2026-11-20' })
  const integration = createIntegration({ store, apiKeys: [apiKey] })
  const { url, close } = await serve(integration, { port: 0 })
  const headers = { 'X-Integration-API-Key': apiKey }
  const response = await fetch(url + '/integration/customer-portal/subscription?email=subscription@example.com', { headers })
  const text = await response.text()
  console.log(response.status, text.includes('2026-12-04'), Object.keys(buildOpenApi(integration)).includes('paths'))
  await close()
}
void main()
`

describe('packed packages', () => {
  let project = ''
  beforeAll(async () => {
    project = await makeFolder('packed')
    const tarballs = await packPackages()
    await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'shop', version: '1.0.0', private: true }))
    await run('npm', ['install', '--no-audit', '--no-fund', ...tarballs.values()], { cwd: project })
  })

  it('compiles and runs in a CommonJS project', async () => {
    const folder = join(project, 'commonjs')
    await mkdir(folder)
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2023'],
      types: ['node'],
      typeRoots: [resolve('node_modules/@types')],
      strict: true,
      exactOptionalPropertyTypes: true,
    }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'commonjs' }))
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }))
    await writeFile(join(folder, 'main.ts'), program)
    const compiled = await run('node', [tsc, '-p', folder]).catch((error: { stdout: string }) => error)
    expect(compiled.stdout).toBe('')
    expect((await run('node', [join(folder, 'main.js')])).stdout.trim()).toBe('200 true true')
  })

  it('returns the same module from require and import', async () => {
    const file = join(project, 'consumer.cjs')
    await writeFile(file, consumer)
    const { stdout, stderr } = await run('node', [file])
    expect(stdout.trim().split('\n')).toEqual(entries.map((entry) => `${entry} true`))
    expect(stderr).toBe('')
  })

  it('bundles one endpoint for edge runtimes into less than 31,000 bytes, minified and gzipped', async () => {
    const { outputFiles } = await build({
      stdin: { contents: edgeProgram, resolveDir: project },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      conditions: ['workerd', 'worker'],
      external: ['node:*'],
      target: 'es2022',
    })
    const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
    // A smaller bundle would be incomplete.
    expect(size).toBeGreaterThan(10_000)
    expect(size).toBeLessThan(31_000)
  })

  it('excludes tests and sources from the packages, except the project templates', async () => {
    for (const { name } of published) {
      const files = await readdir(join(project, 'node_modules', name), { recursive: true })
      const unexpected = files.filter(
        (file) => !/node_modules|^templates/.test(file) && /(^|\/)(src|test)\/|\.test\.|\.map$/.test(file),
      )
      expect([name, unexpected]).toEqual([name, []])
      expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE']))
    }
  })
})

it('uses one version for all packages and for the dependencies between packages', () => {
  const versions = new Set(published.map(({ version }) => version))
  expect(versions.size).toBe(1)
  for (const { name, dependencies = {} } of published) {
    const ours = Object.entries(dependencies).filter(([dependency]) => dependency.startsWith('@storeport/'))
    expect([name, ours.filter(([, version]) => !versions.has(version))]).toEqual([name, []])
  }
})

it('lists zod, a peer dependency of core, in every package that depends on core', () => {
  const dependents = published.filter(({ dependencies = {} }) => '@storeport/core' in dependencies)
  const without = dependents.filter(
    ({ dependencies, peerDependencies }) => !('zod' in { ...dependencies, ...peerDependencies }),
  )
  expect(dependents).not.toEqual([])
  expect(without.map(({ name }) => name)).toEqual([])
})
