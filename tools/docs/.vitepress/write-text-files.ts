import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pageFile, pagePath, resolveLink, root } from './pages.ts'
import { listPaths } from './sidebar.ts'

/** Writes the files for programs: each page as Markdown, `llms.txt`, `llms-full.txt` and `openapi.json`. */
export function writeTextFiles(outDir: string, pages: readonly string[]): void {
  for (const page of pages) write(join(outDir, pageFile(page)), adaptLinks(page))
  write(join(outDir, 'llms.txt'), adaptLinks('llms.txt'))
  write(join(outDir, 'llms-full.txt'), inSidebarOrder(pages).map(adaptLinks).join('\n\n---\n\n'))
  copyFileSync(join(root, 'docs/openapi.json'), join(outDir, 'openapi.json'))
}

/** Returns the pages in the order of the sidebar. */
function inSidebarOrder(pages: readonly string[]): readonly string[] {
  const byPath = new Map(pages.map((page) => [pagePath(page), page]))
  return listPaths().flatMap((path) => byPath.get(path) ?? [])
}

/** Returns the text of a source file with links that work on the site. Links between pages name their Markdown. */
function adaptLinks(source: string): string {
  return readFileSync(join(root, source), 'utf8').replaceAll(
    /\[([^\]\n]*)\]\(([^)\s]+)\)/g,
    (whole: string, text: string, href: string) => {
      const target = resolveLink(source, href)
      if (target === undefined) return whole.startsWith('!') ? whole : text
      if (target === href || !target.startsWith('/') || target.endsWith('.json')) return `[${text}](${target})`
      const [path = '', hash] = target.split('#', 2)
      const file = path.endsWith('/') ? `${path}index` : path
      return `[${text}](${file}.md${hash === undefined ? '' : `#${hash}`})`
    },
  )
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
