import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'

/** Folder of the repository. Its Markdown files are the pages of the site. */
export const root = resolve(import.meta.dirname, '../../..')

/** Patterns of Markdown files that are not pages. */
export const excluded = [
  '{tools,test,testing,bench,.github,node_modules}/**',
  '**/node_modules/**',
  '**/{AGENTS,SKILL}.md',
]

/** Returns the file of a page on the site: `guide/start.md` for `docs/guide/start.md`. */
export function pageFile(source: string): string {
  if (source === 'README.md') return 'index.md'
  const moved = source
    .replace(/^docs\//, '')
    .replace(/^packages\/([^/]+)\/README\.md$/, 'packages/$1.md')
    .replace(/(^|\/)README\.md$/, '$1index.md')
  return moved.replace(/^[A-Z]+\.md$/, (name) => name.toLowerCase())
}

/** Returns the path of a page on the site, without the base path. */
export function pagePath(source: string): string {
  return `/${pageFile(source).replace(/(?:(^|\/)index)?\.md$/, '$1')}`
}

/** Returns the first heading of a page as plain text. */
export function titleOf(source: string): string {
  const [, title = source] = /^# (.*)$/m.exec(readFileSync(join(root, source), 'utf8')) ?? []
  return title.replaceAll('`', '')
}

/** Returns the Markdown files of a folder, sorted by name. */
export function pagesIn(folder: string): readonly string[] {
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.md') && file !== 'README.md')
  return files.toSorted().map((file) => `${folder}/${file}`)
}

/**
 * Returns the target of a link in a source file: a path on the site, or the URL of a file in the repository. Returns
 * `undefined` for a file in the repository until package.json contains the URL of the repository.
 */
export function resolveLink(source: string, href: string, repository = readRepository()): string | undefined {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return href
  const [path = '', hash] = href.split('#', 2)
  const target = posix.join(posix.dirname(source), path).replace(/\/$/, '')
  const fragment = hash === undefined ? '' : `#${hash}`
  if (target === 'docs/openapi.json') return '/openapi.json'
  const page = target.endsWith('.md') ? target : `${target}/README.md`
  if (isPage(page)) return pagePath(page) + fragment
  if (repository === undefined || !existsSync(join(root, target))) return undefined
  const kind = statSync(join(root, target)).isDirectory() ? 'tree' : 'blob'
  return `${repository}/${kind}/main/${target}${fragment}`
}

function isPage(file: string): boolean {
  return existsSync(join(root, file)) && !/^(?:tools|test|testing|bench|\.github)\/|(?:AGENTS|SKILL)\.md$/.test(file)
}

/** Returns the URL of the repository, or `undefined` before the first release. */
export function readRepository(): string | undefined {
  const { repository }: { repository?: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return repository
}
