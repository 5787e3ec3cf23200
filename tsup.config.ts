import { existsSync } from 'node:fs'
import { defineConfig } from 'tsup'

/** Builds the entries of the package in the current folder, as ES modules. */
export default defineConfig({
  entry: ['index', 'main', 'openapi', 'pages', 'sql', 'vitest']
    .map((name) => `src/${name}.ts`)
    .filter((file) => existsSync(file)),
  format: 'esm',
  target: 'node20',
  platform: 'node',
  removeNodeProtocol: false,
  // Not bundled: the user's runtime or bundler resolves the conditional `imports` of package.json.
  external: [/^#/],
  dts: true,
  clean: true,
  tsconfig: '../../tsconfig.json',
})
