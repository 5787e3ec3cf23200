import { build } from 'esbuild'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export type Protocol = Pick<typeof import('../../packages/core/src/retries/protocol.ts'), 'claim' | 'settle' | 'renew'>

/** A replacement in the source of the protocol. */
export interface Edit {
  readonly from: string
  readonly to: string
}

const source = fileURLToPath(new URL('../../packages/core/src/retries/protocol.ts', import.meta.url))

/** Imports the protocol with an edit. Throws unless the source contains `from` exactly once. */
export async function loadProtocol(edit?: Edit): Promise<Protocol> {
  const text = await readFile(source, 'utf8')
  if (edit !== undefined && text.split(edit.from).length !== 2)
    throw new Error(`The protocol must contain this string exactly once: ${edit.from}`)
  const contents = edit === undefined ? text : text.replace(edit.from, () => edit.to)
  const resolveDir = fileURLToPath(new URL('.', `file://${source}`))
  const { outputFiles } = await build({
    stdin: { contents, resolveDir, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
  })
  const code = outputFiles[0]?.text ?? ''
  return import(/* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
}
