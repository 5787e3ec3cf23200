import { readdirSync, readFileSync } from 'node:fs'

/** A command as a page of the documentation has it. */
export interface DocumentedCommand {
  /** The page. */
  readonly page: string
  /** The command in one line, without the comment after it. */
  readonly command: string
}

const pages = [
  'README.md',
  ...readdirSync('docs/guide', { recursive: true, encoding: 'utf8' }).map((file) => `docs/guide/${file}`),
  ...readdirSync('packages').map((folder) => `packages/${folder}/README.md`),
].filter((file) => file.endsWith('.md'))

/** Programs whose calls stand in the middle of a text as well. */
const programs =
  'npm|npx|node|curl|docker|openssl|printf|php|psql|pg_dump|pg_restore|storeport(?:-conformance)?|create-storeport'

/** A program with a word after it: what is only called by its name is no call. */
const call = new RegExp(`^(?:[A-Z_]+=\\S+ )*(?:${programs}) \\S`)

/** Every command of README and guides: the lines of shell blocks, and the calls of programs that stand in a text. */
export function readCommands(): readonly DocumentedCommand[] {
  const all = pages.flatMap((page) => {
    const text = readFileSync(page, 'utf8')
    const blocks = [...text.matchAll(/^```sh\n([^]*?)^```/gm)].flatMap(([, code = '']) =>
      code.replaceAll(/\\\n\s*/g, '').split('\n'),
    )
    const inline = [...text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
    return [...blocks, ...inline.filter((code) => call.test(code))]
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter((command) => command !== '')
      .map((command) => ({ page, command }))
  })
  return [...new Map(all.map((one) => [`${one.page} ${one.command}`, one])).values()]
}
