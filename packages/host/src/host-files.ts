import type { Integration } from '@storeport/core'
import { buildOpenApi } from '@storeport/core/openapi'
import { createStaticFile, type StaticFile } from '@storeport/node'
import { drawnProducts, productImage } from './product-image.ts'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Returns the file at a path, created on first use and cached; `undefined` if the path has no file. */
export type HostFiles = (path: string) => StaticFile | undefined

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"

/** Creates the files of a host: OpenAPI document, API reference and product images. */
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
  // Another version of the host serves different files at the same paths, so browsers must revalidate.
  add('/openapi.json', 'application/json; charset=utf-8', 'no-cache', () => JSON.stringify(buildOpenApi(integration)))
  for (const [path, { type, content }] of Object.entries(docsFiles(hasPlayground))) add(path, type, 'no-cache', content)
  for (const product of drawnProducts) {
    const path = `/images/${product}.svg`
    add(path, 'image/svg+xml', 'public, max-age=86400', () => productImage(product) ?? '')
  }
  return (path) => makers.get(path)?.()
}

/** Folder of the Swagger UI files in the built host. When the host runs from source, `assets` uses the npm package. */
const built = join(dirname(fileURLToPath(import.meta.url)), 'docs-assets')
const assets = () =>
  existsSync(built) ? built : dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** Styles that hide the empty server list of Swagger UI and add a dark mode. */
const style = `:root { color-scheme: light dark }
body { margin: 0; background: #fff; font-family: system-ui, sans-serif }
html.dark-mode body { background: #1c2022; color: #e4e6e6 }
nav { display: flex; gap: 1.5rem; max-width: 1460px; margin: 0 auto; padding: 1rem 20px 0 }
nav a { color: inherit }
.swagger-ui .scheme-container { box-shadow: none; padding: 0 0 1rem }
`

/** Script that starts Swagger UI and applies the browser's color scheme, which Swagger UI ignores. */
const start = `const dark = matchMedia('(prefers-color-scheme: dark)')
const show = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', show)
show()
SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', deepLinking: true, defaultModelsExpandDepth: 0 })
`

function page(hasPlayground: boolean): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>StorePort API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<nav>${hasPlayground ? '<a href="/">Playground</a> ' : ''}<a href="/openapi.json">openapi.json</a></nav>
<main id="api"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`
}

const source = (name: string) => readFileSync(join(assets(), name))

/** Content and media type of a file of the API reference. */
interface DocsFile {
  readonly type: string
  content(): string | Buffer
}

/** Returns the files of the API reference by path. The files load nothing from other servers. */
function docsFiles(hasPlayground: boolean): Readonly<Record<string, DocsFile>> {
  const html: DocsFile = { type: 'text/html; charset=utf-8', content: () => page(hasPlayground) }
  const script = 'text/javascript; charset=utf-8'
  const css = 'text/css; charset=utf-8'
  return {
    '/docs': html,
    '/docs/': html,
    '/docs/start.js': { type: script, content: () => start },
    '/docs/style.css': { type: css, content: () => style },
    '/docs/swagger-ui.css': { type: css, content: () => source('swagger-ui.css') },
    '/docs/swagger-ui-bundle.js': { type: script, content: () => source('swagger-ui-bundle.js') },
  }
}
