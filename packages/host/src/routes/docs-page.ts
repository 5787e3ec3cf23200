import { existsSync, readFileSync } from 'node:fs'
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

const source = (name: string) => readFileSync(join(assets(), name))

/** The files of the page that renders the API's description, without a network: what each holds, and its media type. */
export const docsFiles: Readonly<Record<string, { readonly type: string; content(): string | Buffer }>> = {
  '/docs': { type: 'text/html; charset=utf-8', content: () => html },
  '/docs/': { type: 'text/html; charset=utf-8', content: () => html },
  '/docs/start.js': { type: 'text/javascript; charset=utf-8', content: () => start },
  '/docs/swagger-ui.css': { type: 'text/css; charset=utf-8', content: () => source('swagger-ui.css') },
  '/docs/swagger-ui-bundle.js': {
    type: 'text/javascript; charset=utf-8',
    content: () => source('swagger-ui-bundle.js'),
  },
}
