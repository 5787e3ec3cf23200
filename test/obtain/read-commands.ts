import { readdirSync, readFileSync } from 'node:fs'

const documents = [
  'README.md',
  ...readdirSync('docs/guide', { recursive: true, encoding: 'utf8' }).map((file) => `docs/guide/${file}`),
  ...readdirSync('packages').map((folder) => `packages/${folder}/README.md`),
].filter((file) => file.endsWith('.md'))

/** What is only called by its name is no call. */
const isName = /^(?:npm create storeport|npx @storeport\/conformance)$/

const isOurs = /(?:npm create storeport|npx (?:-p )?@storeport|npm (?:install|i) (?:\S+ )*@storeport)/

/** The commands of the documents that get something of ours from a registry: lines of shell blocks, and what stands in a text. */
export function readCommands(): readonly string[] {
  const commands = documents.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const blocks = [...text.matchAll(/^```sh\n([^]*?)^```/gm)].flatMap(([, code = '']) => code.split('\n'))
    const inline = [...text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
    return [...blocks, ...inline]
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter((line) => isOurs.test(line) && !isName.test(line))
  })
  return [...new Set(commands)]
}
