import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import ts from 'typescript'
import { type Endpoint, endpointNames, endpoints, errors, namesFor } from '@storeport/core'
import { projectFiles } from 'create-storeport'
import { buildOpenApi } from '@storeport/core/openapi'
import { toContractPage } from './contract-page.ts'
import { commonErrors, endpointSections } from './api-page/sections.ts'
import { table } from './markdown-table.ts'

/** URL of the repository, and the contact for vulnerability reports. The first release sets both. */
const { repository, bugs }: { repository?: string; bugs?: { email: string } } = JSON.parse(
  readFileSync('package.json', 'utf8'),
)

/** Files that the scaffolder generates. Some pages quote these files. */
const project = projectFiles({ name: 'my-shop', framework: 'node', store: 'sql', apiKey: '' })
const reference = await endpointSections()
const parts = {
  minimalStore: () => quote('examples/minimal-store/server.ts'),
  ownShopDelay: () => quote('examples/own-shop/delay.ts'),
  ownShopSendNow: () => quote('examples/own-shop/send-now.ts'),
  endpoints: () =>
    table(
      ['StorePort method', 'endpoint', 'what it does'],
      endpointNames.map((name) => {
        const row: Endpoint = endpoints[name]
        return [`\`${name}\``, `\`${row.method} ${row.path}\``, row.summary]
      }),
    ),
  endpointReference: () => reference,
  commonErrors,
  dockerfile: () => ['```dockerfile', project.get('Dockerfile')?.trim(), '```'].join('\n'),
  compose: () => ['```yaml', project.get('compose.yaml')?.trim(), '```'].join('\n'),
  guides: listGuides,
  decisions: listDecisions,
  options: () =>
    table(['option', 'meaning'], interfaceRows('packages/core/src/pipeline/integration.ts', 'IntegrationOptions')),
  securityContact: () => {
    if (bugs !== undefined) return `Report a vulnerability to <${bugs.email}>.`
    return 'No contact for reports is set yet, because no version has been released.'
  },
  errors: () =>
    table(
      ['status', 'code', 'message'],
      Object.entries(errors).map(([code, { status, message }]) => [String(status), `\`${code}\``, message]),
    ),
} satisfies Record<string, () => string>

const check = process.argv.includes('--check')
const written: Record<string, (before: string) => string> = {
  'README.md': withGeneratedParts,
  'docs/guide/api.md': withGeneratedParts,
  'SECURITY.md': withGeneratedParts,
  // npm publishes only files in the package's folder, so each package needs its own copy of the license.
  ...Object.fromEntries(
    readdirSync('packages').map((name) => [`packages/${name}/LICENSE`, () => readFileSync('LICENSE', 'utf8')]),
  ),
  // npm signs the provenance only of packages that name their repository.
  ...Object.fromEntries(readdirSync('packages').map((name) => [`packages/${name}/package.json`, withRepository])),
  'docs/decisions/README.md': withGeneratedParts,
  'docs/guide/conformance.md': withGeneratedParts,
  'docs/guide/contract.md': toContractPage,
  'docs/guide/go-live.md': withGeneratedParts,
  'docs/guide/options.md': withGeneratedParts,
  'docs/guide/own-database.md': withGeneratedParts,
  'docs/guide/own-shop.md': withGeneratedParts,
  'docs/openapi.json': () => `${JSON.stringify(buildOpenApi({ ...namesFor(), offered: endpointNames }), null, 2)}\n`,
  'llms.txt': withGeneratedParts,
}
const outdated = Object.entries(written).filter(([file, write]) => {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const after = write(before)
  if (after !== before && !check) writeFileSync(file, after)
  return after !== before
})
if (check && outdated.length > 0) {
  console.error(`Out of date: ${outdated.map(([file]) => file).join(', ')}. Run npm run docs.`)
  process.exitCode = 1
}

/** Returns a package.json with the URL of the repository, if there is one. */
function withRepository(text: string): string {
  if (repository === undefined) return text
  return `${JSON.stringify({ ...JSON.parse(text), repository: { type: 'git', url: `git+${repository}.git` } }, null, 2)}\n`
}

/** Returns a source file as a code block. */
function quote(file: string): string {
  return ['```ts', readFileSync(file, 'utf8').trim(), '```'].join('\n')
}

function withGeneratedParts(text: string): string {
  return text.replace(
    /(<!-- generated: (\w+) -->\n)[^]*?(<!-- end -->)/g,
    (_, start: string, part: string, end: string) => {
      if (!isPart(part)) throw new Error(`There is no generated part named ${part}.`)
      return `${start}\n${parts[part]()}\n\n${end}`
    },
  )
}

function isPart(name: string): name is keyof typeof parts {
  return Object.hasOwn(parts, name)
}

/** Returns a list item for each guide page, with the first sentence of the page. */
function listGuides(): string {
  const pages = readdirSync('docs/guide', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
  const items = pages.toSorted().map((file) => {
    const [title = '', about = ''] = readFileSync(`docs/guide/${file}`, 'utf8').split(/\n\n/)
    const sentence = about.replaceAll('\n', ' ').replace(/(?<=[.?])\s.*$/, '')
    return `- [${title.replace(/^# /, '')}](docs/guide/${file}): ${sentence}`
  })
  return items.join('\n')
}

/** Returns a list item for each decision. */
function listDecisions(): string {
  const pages = readdirSync('docs/decisions').filter((file) => /^\d/.test(file))
  return pages
    .toSorted()
    .map((file) => `- [${readFileSync(`docs/decisions/${file}`, 'utf8').split('\n', 1)[0]?.slice(2)}](${file})`)
    .join('\n')
}

/** Returns the name and JSDoc of each property of an exported interface. */
function interfaceRows(file: string, name: string): string[][] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const found = source.statements.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === name)
  if (found === undefined || !ts.isInterfaceDeclaration(found))
    throw new Error(`${file} does not export an interface ${name}.`)
  return found.members.map((member) => {
    const comment = ts.getJSDocCommentsAndTags(member)[0]?.comment
    if (typeof comment !== 'string' || member.name === undefined)
      throw new Error(`${name} has a property without documentation.`)
    return [`\`${member.name.getText(source)}\``, comment]
  })
}
