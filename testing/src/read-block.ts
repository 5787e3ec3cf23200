import { readFileSync } from 'node:fs'

/** Returns the first code block in a language below a heading of a page. Throws if there is none. */
export function readBlock(page: string, language: string, heading = ''): string {
  const text = readFileSync(page, 'utf8')
  const block = new RegExp('^```' + language + '\n([^]*?)^```', 'm')
  const code = block.exec(text.slice(text.indexOf(`# ${heading}`)))?.[1]
  if (code === undefined) throw new Error(`${page} has no ${language} block below "${heading}".`)
  return code
}
