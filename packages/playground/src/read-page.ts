import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createStaticFile, type StaticFile } from '@storeport/node'
import { securityHeaders } from './security-headers.ts'

/** Reads the built page into memory: its files by their path on the host; empty when the page has not been built. */
export function readPage(folder: string = findBuiltPage()): ReadonlyMap<string, StaticFile> {
  if (!existsSync(join(folder, 'index.html'))) return new Map()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files.map((entry) => {
      const file = join(entry.parentPath, entry.name)
      const path = file.slice(folder.replace(/[\\/]+$/, '').length).replaceAll('\\', '/')
      const isHtml = path === '/index.html'
      // Every other name holds a digest of what is in the file.
      const caching = isHtml ? 'no-store' : 'private, max-age=31536000, immutable'
      const headers = { ...securityHeaders, 'Content-Type': typeOf(entry.name), 'Cache-Control': caching }
      return [isHtml ? '/' : path, createStaticFile(readFileSync(file), headers)]
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
    '.txt': 'text/plain; charset=utf-8',
  }
  return types[extname(name)] ?? 'application/octet-stream'
}
