import { relative } from 'node:path'
import type { MarkdownOptions } from 'vitepress'
import { resolveLink, root } from './pages.ts'

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0]
type Token = ReturnType<Markdown['parse']>[number]
type CoreState = Parameters<Parameters<Markdown['core']['ruler']['push']>[1]>[0]

/** Returns the id of a heading as GitHub does, so that links work in the repository and on the site. */
export function slugify(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

/** Adapts Markdown that is written for the repository to the site. */
export function adaptMarkdown(markdown: Markdown): void {
  markdown.core.ruler.push('repository-links', (state) => {
    const source = sourceOf(state)
    for (const { children } of state.tokens) if (children !== null) adaptLinks(children, source)
  })
  markdown.core.ruler.before('block', 'tabs', (state) => {
    state.src = state.src.replaceAll('<!-- tabs -->', '::: code-group').replaceAll('<!-- end tabs -->', ':::')
  })
  const { html_block: htmlBlock, fence } = markdown.renderer.rules
  markdown.renderer.rules.html_block = (...words) => markEmail(splitPictures(htmlBlock?.(...words) ?? ''))
  markdown.renderer.rules.fence = (tokens, index, ...words) => {
    const block = fence?.(tokens, index, ...words) ?? ''
    const request = readRequest(tokens, index)
    if (request === undefined) return block
    return `<RunRequest request="${markdown.utils.escapeHtml(JSON.stringify(request))}">${block}</RunRequest>`
  }
}

/** Returns the source file of a page, relative to the repository. */
function sourceOf({ env }: CoreState): string {
  // The title of a page has no path.
  const { realPath, path = root }: { realPath?: string; path?: string } = env
  return relative(root, realPath ?? path)
}

/** Replaces links to source files with paths on the site, or with text if the site has no such page. */
function adaptLinks(tokens: readonly Token[], source: string): void {
  let isText = false
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const target = resolveLink(source, token.attrGet('href') ?? '')
      isText = target === undefined
      if (target === undefined) {
        token.type = 'span_open'
        token.tag = 'span'
        token.attrs = []
      } else token.attrSet('href', target)
    }
    if (token.type === 'link_close' && isText) {
      token.type = 'span_close'
      token.tag = 'span'
      isText = false
    }
  }
}

/** Replaces an image for two color schemes with two images, because the reader chooses the scheme on the site. */
function splitPictures(html: string): string {
  return html.replaceAll(
    /<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*<img ([^>]*)src="([^"]+)">\s*<\/picture>/g,
    (_, dark: string, attributes: string, light: string) =>
      `<p${light.endsWith('.svg') ? ' class="diagram" tabindex="0"' : ''}>` +
      `<img class="light-only" ${attributes}src="./${light}"><img class="dark-only" ${attributes}src="./${dark}"></p>`,
  )
}

/** Adds a button to the image between the comments: it replaces the image with the working email. */
function markEmail(html: string): string {
  return html.replace('<!-- email -->', '<TryEmail>').replace('<!-- end email -->', '</TryEmail>')
}

/** A request to a shop in the page. */
export interface PageRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** A request of an example, and the name of the shop in the page that receives it. */
export interface ExampleRequest extends PageRequest {
  readonly shop: string
}

/** Matches a `curl` command of the API reference or of the tutorial. */
const command = /\bcurl .*?(?<origin>\$SHOP|http:\/\/127\.0\.0\.1:3000)(?<path>\/integration\/[^"' )\n]*)/

/** Returns the request of a `curl` example, or `undefined` for another block. */
function readRequest(tokens: readonly Token[], index: number): ExampleRequest | undefined {
  const token = tokens[index]
  const { origin, path } = (token?.info === 'sh' && command.exec(token.content)?.groups) || {}
  if (token === undefined || path === undefined) return undefined
  const [, body] = /-d '([^']*)'/.exec(token.content) ?? []
  // The latest `store.ts` above the command answers a request of the tutorial.
  const step = tokens.slice(0, index).filter(({ content }) => content.includes('export function createStore')).length
  const shop = origin === '$SHOP' ? 'api' : `tutorial-${step}`
  return { shop, method: body === undefined ? 'GET' : 'POST', path, body: body ?? '' }
}
