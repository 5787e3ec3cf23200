import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createStaticFile, type StaticFile } from '@storeport/node'
import { securityHeaders } from './write-response.ts'

/** Reads the files of the built page into memory, by URL path; returns an empty map if the page is not built. */
export function readPage(folder: string = findBuiltPage()): ReadonlyMap<string, StaticFile> {
  if (!existsSync(join(folder, 'index.html'))) return new Map()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files.map((entry) => {
      const file = join(entry.parentPath, entry.name)
      const path = file.slice(folder.replace(/[\\/]+$/, '').length).replaceAll('\\', '/')
      const isHtml = path === '/index.html'
      // All other file names contain a content hash, so browsers can cache these files permanently.
      const caching = isHtml ? 'no-store' : 'private, max-age=31536000, immutable'
      const headers = { ...securityHeaders, 'Content-Type': contentTypeFor(entry.name), 'Cache-Control': caching }
      return [isHtml ? '/' : path, createStaticFile(readFileSync(file), headers)]
    }),
  )
}

/** Returns the style sheet, the fonts and the icon of the page, by file name, for other pages that look like it. */
export function readStyles(): ReadonlyMap<string, StaticFile> {
  const files = [...readPage()].filter(([path]) => /\.(?:css|woff2)$|\/icon-[^/]*$/.test(path))
  return new Map(files.map(([path, file]) => [path.slice(path.lastIndexOf('/') + 1), file]))
}

/** Returns the folder of the built page: next to this file in the published package, in `dist` when run from source. */
function findBuiltPage(): string {
  const published = fileURLToPath(new URL('./page', import.meta.url))
  return existsSync(published) ? published : fileURLToPath(new URL('../dist/page', import.meta.url))
}

function contentTypeFor(name: string): string {
  const types: Readonly<Record<string, string>> = {
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript; charset=utf-8',
    '.css': 'text/css; charset=utf-8',
    '.svg': 'image/svg+xml',
    '.woff2': 'font/woff2',
    '.txt': 'text/plain; charset=utf-8',
  }
  return types[extname(name)] ?? 'application/octet-stream'
}
