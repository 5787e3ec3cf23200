import type { Integration } from '@storeport/core'
import { buildOpenApi } from '@storeport/core/openapi'
import { createStaticFile, type StaticFile } from '@storeport/node'
import { apiPageScript, apiPageStyle, createApiPage } from './api-page.ts'
import { drawnProducts, productImage } from './product-image.ts'

/** Returns the file at a path, created on first use and cached; `undefined` if the path has no file. */
export type HostFiles = (path: string) => StaticFile | undefined

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"

/** Creates the files of a host: OpenAPI document, API reference and product images. */
export function createHostFiles(integration: Integration, hasPlayground: boolean): HostFiles {
  const makers = new Map<string, () => StaticFile>()
  const add = (path: string, type: string, caching: string, content: () => string) => {
    let file: StaticFile | undefined
    makers.set(
      path,
      () =>
        (file ??= createStaticFile(content(), {
          'Content-Type': type,
          'Cache-Control': caching,
          'X-Content-Type-Options': 'nosniff',
          'Content-Security-Policy': contentSecurityPolicy,
        })),
    )
  }
  // Another version of the host serves different files at the same paths, so browsers must revalidate.
  add('/openapi.json', 'application/json; charset=utf-8', 'no-cache', () => JSON.stringify(buildOpenApi(integration)))
  for (const [path, { type, content }] of Object.entries(docsFiles(integration, hasPlayground)))
    add(path, type, 'no-cache', content)
  for (const product of drawnProducts) {
    const path = `/images/${product}.svg`
    add(path, 'image/svg+xml', 'public, max-age=86400', () => productImage(product) ?? '')
  }
  return (path) => makers.get(path)?.()
}

/** Content and media type of a file of the API reference. */
interface DocsFile {
  readonly type: string
  content(): string
}

/** Returns the files of the API reference by path. The files load nothing from other servers. */
function docsFiles(integration: Integration, hasPlayground: boolean): Readonly<Record<string, DocsFile>> {
  const html: DocsFile = { type: 'text/html; charset=utf-8', content: () => createApiPage(integration, hasPlayground) }
  const script = 'text/javascript; charset=utf-8'
  const css = 'text/css; charset=utf-8'
  return {
    '/docs': html,
    '/docs/': html,
    '/docs/start.js': { type: script, content: () => apiPageScript },
    '/docs/style.css': { type: css, content: () => apiPageStyle },
  }
}
