import { existsSync } from 'node:fs'
import { defineConfig } from 'tsup'

/** Builds each entry of the package in whose folder it runs, as an ES module. */
export default defineConfig({
  entry: ['index', 'main', 'openapi', 'pages', 'vitest']
    .map((name) => `src/${name}.ts`)
    .filter((file) => existsSync(file)),
  format: 'esm',
  target: 'node20',
  platform: 'node',
  removeNodeProtocol: false,
  // The runtime or the bundler of the user chooses among the `imports` of package.json.
  external: [/^#/],
  dts: true,
  clean: true,
  tsconfig: '../../tsconfig.json',
})
