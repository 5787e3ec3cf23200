import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

interface Block {
  readonly where: string
  readonly language: string
  readonly code: string
}

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
  ...readdirSync('packages').map((folder) => `packages/${folder}/README.md`),
].filter((file) => existsSync(file))

function blocksOf(file: string): Block[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/^```(\w*)[^\n]*\n([^]*?)^```/gm)].map(([, language = '', code = ''], index) => ({
    where: `${file} block ${index + 1}`,
    language,
    code,
  }))
}

const blocks = documents.flatMap(blocksOf)

/** Returns the folder from which the relative imports of a code block are resolved. */
function folderOf({ where }: Block): string {
  const example = /^docs\/guide\/(own-\w+)\.md/.exec(where)?.[1]
  return example === undefined ? 'test' : `examples/${example}`
}

/** Declares the values that the code fragments in the documents use. */
const prelude = `
declare global {
  const apiKey: string
  const store: import('@storeport/core').StorePort
  const integration: import('@storeport/core').Integration
  function startMyServer(): Promise<{ url: string; close(): Promise<void> }>
  function count(what: string, endpoint: string): void
  function findSubscription(email: string): Promise<import('@storeport/core').CurrentSubscription>
  function saveDate(email: string, date: string): Promise<void>
  function createMyStore(): import('@storeport/core').StorePort
}
export {}
`

/** Declares the modules that are not installed: the reader's integration and store, and Next.js. */
const ambient = `
declare module 'next' {
  /** Next.js is installed as a tool. Its own tests use its types. */
  export interface NextConfig {
    readonly skipTrailingSlashRedirect?: boolean
  }
}
declare module '*/integration' {
  export const integration: import('@storeport/core').Integration
}
declare module '*/store.ts' {
  export function createStore(today: () => string): import('@storeport/core').StorePort
}
`

describe('TypeScript in the documents', () => {
  const sources = new Map(
    blocks
      .filter(({ language }) => language === 'ts' || language === 'tsx')
      .map((block, index) => [resolve(`${folderOf(block)}/docs-block-${index}.${block.language}`), block]),
  )
  const options = ts.parseJsonConfigFileContent(
    ts.readConfigFile('tsconfig.json', ts.sys.readFile).config,
    ts.sys,
    '.',
  ).options
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  sources.set(resolve('test/docs-prelude.ts'), { where: 'the prelude', language: 'ts', code: prelude })
  sources.set(resolve('test/docs-ambient.ts'), { where: 'the ambient modules', language: 'script', code: ambient })
  host.fileExists = (file) => sources.has(file) || fileExists(file)
  host.readFile = (file) => sources.get(file)?.code ?? readFile(file)
  host.getSourceFile = (file, ...rest) => {
    const block = sources.get(file)
    return block === undefined
      ? getSourceFile(file, ...rest)
      : ts.createSourceFile(
          file,
          block.language === 'script' ? block.code : `${block.code}\nexport {}\n`,
          ts.ScriptTarget.Latest,
          true,
        )
  }
  // Example code can declare values that it does not use.
  const program = ts.createProgram(
    [...sources.keys()],
    { ...options, noUnusedLocals: false, noUnusedParameters: false, noEmit: true },
    host,
  )

  it.each([...sources].map(([file, { where }]) => [where, file] as const))('compiles %s', (_, file) => {
    const source = program.getSourceFile(file)
    const problems = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
    expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])
  })
})

it.each(blocks.filter(({ language }) => language === 'json').map(({ where, code }) => [where, code] as const))(
  'parses the JSON in %s',
  (_, code) => {
    expect(() => JSON.parse(code)).not.toThrow()
  },
)

it('names the language of every code block', () => {
  expect(blocks.filter(({ language }) => language === '').map(({ where }) => where)).toEqual([])
})

it('links only to existing files and images', () => {
  const missing = documents.flatMap((file) => {
    const found = readFileSync(file, 'utf8').matchAll(/(?:\]\(|\bsrc(?:set)?=")(?!https?:|#)([^)"#\s]+)/g)
    const links = [...found].map(([, link = '']) => link)
    return links
      .filter(
        (link) => !ts.sys.fileExists(resolve(file, '..', link)) && !ts.sys.directoryExists(resolve(file, '..', link)),
      )
      .map((link) => `${file}: ${link}`)
  })
  expect(missing).toEqual([])
})
