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

/** Commands that run in the same surroundings, by their patterns. A command of an exception runs in another test. */
const groups = {
  install: [/^npm (?:install|i) (?:\S+ )*@storeport/],
  create: [/^npm create storeport@latest my-shop/],
  serve: [/^npx (?:-p )?@storeport\/host/],
  'check a shop': [
    /^(?:STOREPORT_API_KEY=… )?npx @storeport\/conformance (?:https?:|--)(?!.*(?: --profile profile\.jsonc$| --customer EMAIL ))/,
  ],
  'in a clone': [
    /^npm ci && npm start$/,
    /^(?:npx )?storeport (?:seed --|bill|reset|--help)/,
    /^(?:npx )?storeport-conformance (?:https|--)/,
    /^(?:npx create-storeport \S+|node path\/to\/clone.*) --from /,
  ],
} as const

/** Returns the documented commands of a group, without duplicates. Throws if a pattern matches no command. */
export function commandsFor(group: keyof typeof groups): readonly string[] {
  const commands = readCommands().map(({ command }) => command)
  const found = groups[group].flatMap((pattern) => {
    const matching = commands.filter((command) => pattern.test(command))
    if (matching.length === 0) throw new Error(`No documented command matches ${pattern}.`)
    return matching
  })
  return [...new Set(found)]
}
