import { cpSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// Copied at build time, so that users do not install all of Swagger UI.
const source = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
mkdirSync('dist/docs-assets', { recursive: true })
for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE']) {
  cpSync(join(source, file), join('dist/docs-assets', file))
}
