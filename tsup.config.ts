import { existsSync } from 'node:fs'
import { defineConfig } from 'tsup'

/** Run in the folder of one package: builds each of its entries as ES module and as CommonJS. */
export default defineConfig({
  entry: ['index', 'main', 'openapi', 'pages', 'vitest']
    .map((name) => `src/${name}.ts`)
    .filter((file) => existsSync(file)),
  format: ['esm', 'cjs'],
  target: 'node20',
  platform: 'node',
  removeNodeProtocol: false,
  // The runtime or the bundler of the user chooses among the `imports` of package.json.
  external: [/^#/],
  dts: true,
  shims: true,
  clean: true,
  tsconfig: '../../tsconfig.json',
})
