import type { Integration } from '@storeport/core'
import { buildOpenApi } from '@storeport/core/openapi'
import { createStaticFile, type StaticFile } from '@storeport/node'
import { docsFiles } from './docs-page.ts'
import { drawnProducts, productImage } from './product-image.ts'

/** The file at a path of the host, made when somebody asks for it first and then kept; `undefined` where there is none. */
export type HostFiles = (path: string) => StaticFile | undefined

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"

/** Holds the files of a host: the description of its API, the page that renders it, and the pictures of the seed. */
export function createHostFiles(integration: Integration, hasPlayground: boolean): HostFiles {
  const makers = new Map<string, () => StaticFile>()
  const add = (path: string, type: string, caching: string, content: () => string | Buffer) => {
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
  // Another version of the host has other files under the same names: a browser asks whether its own is still right.
  add('/openapi.json', 'application/json; charset=utf-8', 'no-cache', () => JSON.stringify(buildOpenApi(integration)))
  for (const [path, { type, content }] of Object.entries(docsFiles(hasPlayground))) add(path, type, 'no-cache', content)
  for (const product of drawnProducts) {
    const path = `/images/${product}.svg`
    add(path, 'image/svg+xml', 'public, max-age=86400', () => productImage(product) ?? '')
  }
  return (path) => makers.get(path)?.()
}
