import { rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { build } from 'esbuild'

const cache = resolve('node_modules/.cache/storeport-bench')

/** Compiles a variant, with the sources of the StorePort packages, for Node; dependencies stay outside. */
export async function compile(file: string): Promise<string> {
  const name = basename(file, '.ts')
  const outdir = join(cache, basename(dirname(file)), name)
  await rm(outdir, { recursive: true, force: true })
  await build({
    entryPoints: { [name]: file },
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What is loaded only when it is needed stays so.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // tsconfig.json says where the packages of this repository are.
    packages: 'external',
    logLevel: 'error',
  })
  return join(outdir, `${name}.mjs`)
}
