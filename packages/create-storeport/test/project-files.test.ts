import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { frameworkNames, projectFiles, storeNames } from '../src/index.ts'
import { ranges } from '../src/manifest.ts'

const combinations = frameworkNames.flatMap((framework) => storeNames.map((store) => ({ framework, store })))

interface Manifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8'))
}

describe.each(combinations)('a $framework project with the store $store', (combination) => {
  const files = projectFiles({ name: 'tea-room', apiKey: 'a-key-of-the-tests-0001', ...combination })
  const { dependencies = {}, devDependencies = {} }: Manifest = JSON.parse(files.get('package.json') ?? '{}')
  const { version } = readManifest('packages/create-storeport/package.json')

  it('depends on this version of the StorePort packages', () => {
    const storeportPackages = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) =>
      name.startsWith('@storeport/'),
    )
    expect(storeportPackages.length).toBeGreaterThan(1)
    expect(storeportPackages.filter(([, range]) => range !== version)).toEqual([])
  })

  it('declares exactly the packages that it imports', () => {
    const code = [...files].filter(([path]) => path.endsWith('.ts')).map(([, text]) => text)
    const imported = code.flatMap((text) =>
      [...text.matchAll(/ from '((?:@[^/']+\/)?[^./'][^/']*)/g)].map(([, name = '']) => name),
    )
    const declared = Object.keys({ ...dependencies, ...devDependencies })
    const isTool = (name: string) =>
      /^(?:node:.*|@prisma\/client|@storeport\/host|@types\/.*|libsql|pg|react|react-dom|tsx|typescript)$/.test(name)
    expect(new Set(imported.filter((name) => !isTool(name)))).toEqual(new Set(declared.filter((name) => !isTool(name))))
  })

  it('has a README table that lists only existing files and every code file', () => {
    const named = [...(files.get('README.md') ?? '').matchAll(/^\| `([^`]+)`/gm)].map(([, path = '']) => path)
    expect(named.filter((path) => !files.has(path))).toEqual([])
    const code = [...files.keys()].filter((path) => path.endsWith('.ts'))
    expect(code.filter((path) => !named.includes(path))).toEqual([])
  })

  it('has a container that runs the npm start command as an unprivileged user', () => {
    const lines = (files.get('Dockerfile') ?? '').trimEnd().split('\n')
    const stages = lines.flatMap((line, index) => (line.startsWith('FROM ') ? [index] : []))
    expect(stages.length).toBe(2)
    const last = lines.slice(stages[1])
    expect(last.indexOf('USER node')).toBeGreaterThan(last.findIndex((line) => line.startsWith('COPY ')))
    const wordsOf = (start: string): unknown =>
      JSON.parse(last.find((line) => line.startsWith(start))?.slice(start.length) ?? '')
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(files.get('package.json') ?? '{}')
    const command = String(wordsOf('CMD '))
      .replaceAll(',', ' ')
      .replace('node node_modules/next/dist/bin/next start -H 0.0.0.0', 'next start -H 127.0.0.1')
    expect(scripts['start']?.endsWith(command)).toBe(true)
    expect(wordsOf('HEALTHCHECK CMD ')).toEqual(['node', '-e', expect.stringContaining('/healthz')])
    expect(files.get('.dockerignore')?.split('\n')).toEqual(expect.arrayContaining(['.env', 'node_modules']))
  })

  it('uses its own name instead of the template name', () => {
    const texts = [...files].filter(([path]) => path !== 'README.md').map(([, text]) => text)
    expect(texts.join('\n')).not.toContain('my-shop')
    expect(texts.join('\n')).toContain('tea-room')
  })
})

it('has a compose file that stores the database in a volume and does not publish its port', () => {
  const files = projectFiles({ name: 'tea-room', framework: 'node', store: 'sql', apiKey: 'a-key-of-the-tests-0001' })
  const text = files.get('compose.yaml') ?? ''
  const { services, volumes } = parse(text)
  const [volume] = Object.keys(volumes)
  expect(services).toMatchObject({
    shop: {
      build: '.',
      ports: ['127.0.0.1:3000:3000'],
      depends_on: { database: { condition: 'service_healthy' } },
    },
    database: {
      volumes: [expect.stringMatching(`^${volume}:`)],
      healthcheck: { test: expect.arrayContaining(['CMD']) },
    },
  })
  expect(services.database).not.toHaveProperty('ports')
  // Checks that `.env` contains every variable in compose.yaml.
  const variables = [...text.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name)
  const settings = [...(files.get('.env') ?? '').matchAll(/^(\w+)=/gm)].map(([, name = '']) => name)
  expect(settings).toEqual(expect.arrayContaining(variables))
})

it('uses the version ranges that this repository is tested with', () => {
  const tested = [
    'testing/package.json',
    'package.json',
    ...['hono', 'next'].map((name) => `examples/${name}/package.json`),
  ].flatMap((file) => {
    const { dependencies = {}, devDependencies = {} } = readManifest(file)
    return Object.entries({ ...dependencies, ...devDependencies })
  })
  const versions = new Map(tested)
  // scaffold.slow.test.ts tests these packages with the version ranges of the generated projects.
  const installed = new Set(['@prisma/adapter-pg', '@prisma/client', 'drizzle-orm', 'prisma'])
  for (const [name, range] of Object.entries(ranges).filter(([each]) => !installed.has(each)))
    expect([name, range]).toEqual([name, `^${versions.get(name)?.replace('^', '')}`])
})
