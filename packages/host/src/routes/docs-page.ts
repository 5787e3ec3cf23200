import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Swagger UI's files: next to the built host, or in its npm package when the host runs from source. */
const built = join(dirname(fileURLToPath(import.meta.url)), 'docs-assets')
const assets = () =>
  existsSync(built) ? built : dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>StorePort API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="api"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`
const start = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', deepLinking: true, defaultModelsExpandDepth: 0 })\n`

/** A file of the page that renders the API's description, without a network; `undefined` for any other. */
export async function docsFile(path: string): Promise<{ type: string; body: string | Buffer } | undefined> {
  if (path === '/docs' || path === '/docs/') return { type: 'text/html; charset=utf-8', body: html }
  if (path === '/docs/start.js') return { type: 'text/javascript; charset=utf-8', body: start }
  if (path === '/docs/swagger-ui.css') {
    return { type: 'text/css; charset=utf-8', body: await readFile(join(assets(), 'swagger-ui.css')) }
  }
  if (path === '/docs/swagger-ui-bundle.js') {
    return { type: 'text/javascript; charset=utf-8', body: await readFile(join(assets(), 'swagger-ui-bundle.js')) }
  }
  return undefined
}
