import { readdirSync, readFileSync } from 'node:fs'

export interface DocumentedCommand {
  readonly page: string
  /** The command on one line, without its trailing comment. */
  readonly command: string
}

const pages = [
  'README.md',
  ...readdirSync('docs/guide', { recursive: true, encoding: 'utf8' }).map((file) => `docs/guide/${file}`),
  ...readdirSync('packages').map((folder) => `packages/${folder}/README.md`),
].filter((file) => file.endsWith('.md'))

/** Programs whose commands can also appear inline in a paragraph. */
const programs =
  'npm|npx|node|curl|docker|openssl|printf|php|psql|pg_dump|pg_restore|storeport(?:-conformance|-stripe)?|create-storeport'

/** Matches a program with at least one argument. A bare program name is not a command. */
const inlineCommand = new RegExp(`^(?:[A-Z_]+=\\S+ )*(?:${programs}) \\S`)

/** Returns every command in the READMEs and guides: the lines of shell blocks and the inline commands. */
export function readCommands(): readonly DocumentedCommand[] {
  const all = pages.flatMap((page) => {
    const text = readFileSync(page, 'utf8')
    const blocks = [...text.matchAll(/^```sh.*\n([^]*?)^```/gm)].flatMap(([, code = '']) =>
      code.replaceAll(/\\\n\s*/g, '').split('\n'),
    )
    const inline = [...text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
    return [...blocks, ...inline.filter((code) => inlineCommand.test(code))]
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter((command) => command !== '')
      .map((command) => ({ page, command }))
  })
  return [...new Map(all.map((entry) => [`${entry.page} ${entry.command}`, entry])).values()]
}
