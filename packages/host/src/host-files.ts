import { readdirSync, readFileSync } from 'node:fs'
import type { Integration } from '@storeport/core'
import { buildOpenApi } from '@storeport/core/openapi'
import { createStaticFile, type StaticFile } from '@storeport/node'
import { readStyles } from '@storeport/playground'
import { apiPageScript, apiPageStyle } from './api-page-assets.ts'
import { createApiPage } from './api-page.ts'

/** Returns the file at a path, created on first use and cached; `undefined` if the path has no file. */
export type HostFiles = (path: string) => StaticFile | undefined

/** Folder with one image per seed product. */
const images = new URL('../images/', import.meta.url)

const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
}

/** Creates the files of a host: OpenAPI document, API reference and product images. */
export function createHostFiles(integration: Integration, hasPlayground: boolean): HostFiles {
  const makers = new Map<string, () => StaticFile>()
  const add = (path: string, type: string, caching: string, content: () => string) => {
    const headers = { 'Content-Type': type, 'Cache-Control': caching, ...securityHeaders }
    let file: StaticFile | undefined
    makers.set(path, () => (file ??= createStaticFile(content(), headers)))
  }
  // Another version of the host serves different files at the same paths, so browsers must revalidate.
  add('/openapi.json', 'application/json; charset=utf-8', 'no-cache', () => JSON.stringify(buildOpenApi(integration)))
  // The style sheet of the playground, its fonts and its icon, which need no token here.
  const styles = readStyles()
  for (const [name, file] of styles) makers.set(`/docs/${name}`, () => file)
  const assets = [...styles.keys(), 'style.css'].map((name) => `/docs/${name}`)
  for (const path of ['/docs', '/docs/'])
    add(path, 'text/html; charset=utf-8', 'no-cache', () => createApiPage(integration, hasPlayground, assets))
  add('/docs/start.js', 'text/javascript; charset=utf-8', 'no-cache', () => apiPageScript)
  add('/docs/style.css', 'text/css; charset=utf-8', 'no-cache', () => apiPageStyle)
  for (const file of readdirSync(images))
    add(`/images/${file}`, 'image/svg+xml', 'public, max-age=86400', () => readFileSync(new URL(file, images), 'utf8'))
  return (path) => makers.get(path)?.()
}
