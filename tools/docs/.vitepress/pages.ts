import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'

/** Folder of the repository. Its Markdown files are the pages of the site. */
export const root = resolve(import.meta.dirname, '../../..')

/** Patterns of Markdown files that are not pages, such as those for contributors. */
export const excluded = [
  '{tools,test,testing,bench,.github,node_modules,docs/decisions}/**',
  '**/node_modules/**',
  '**/{AGENTS,SKILL}.md',
  '{README,CONTRIBUTING,docs/testing,docs/releasing}.md',
]

/** Returns the file of a page on the site: `guide/start.md` for `docs/guide/start.md`. */
export function pageFile(source: string): string {
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
  const isExcluded =
    /^(?:tools|test|testing|bench|\.github|docs\/decisions)\/|(?:AGENTS|SKILL|CONTRIBUTING|docs\/(?:testing|releasing))\.md$|^README\.md$/
  return existsSync(join(root, file)) && !isExcluded.test(file)
}

/** Returns the URL of the repository, or `undefined` before the first release. */
export function readRepository(): string | undefined {
  const { repository }: { repository?: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return repository
}
