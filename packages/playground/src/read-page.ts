import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file of the page, ready to be sent. */
export interface PageFile {
  /** What it holds. */
  readonly bytes: Buffer
  /** Its `Content-Type`. */
  readonly type: string
  /** Its `Cache-Control`. */
  readonly caching: string
}

/** Reads the built page into memory: its files by their path on the host; empty when the page has not been built. */
export function readPage(folder: string = findBuiltPage()): ReadonlyMap<string, PageFile> {
  if (!existsSync(join(folder, 'index.html'))) return new Map()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files.map((entry) => {
      const file = join(entry.parentPath, entry.name)
      const path = file.slice(folder.replace(/[\\/]+$/, '').length).replaceAll('\\', '/')
      const isHtml = path === '/index.html'
      // Every other name holds a digest of what is in the file.
      const caching = isHtml ? 'no-store' : 'public, max-age=31536000, immutable'
      return [isHtml ? '/' : path, { bytes: readFileSync(file), type: typeOf(entry.name), caching }]
    }),
  )
}

/** Next to the bundle in the published package, in `dist` when this runs from source. */
function findBuiltPage(): string {
  const beside = fileURLToPath(new URL('./page', import.meta.url))
  return existsSync(beside) ? beside : fileURLToPath(new URL('../dist/page', import.meta.url))
}

function typeOf(name: string): string {
  const types: Readonly<Record<string, string>> = {
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript; charset=utf-8',
    '.css': 'text/css; charset=utf-8',
    '.svg': 'image/svg+xml',
    '.woff2': 'font/woff2',
  }
  return types[extname(name)] ?? 'application/octet-stream'
}
