import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, it } from 'vitest'

/** Imports the mapping code from docs/guide/your-store/portal.md. docs.test.ts checks the types of the code. */
async function importMapping(): Promise<unknown> {
  const guide = readFileSync('docs/guide/your-store/portal.md', 'utf8')
  const [, code = ''] = /^## Line ids of your platform[^]*?^```ts\n([^]*?)^```/m.exec(guide) ?? []
  const { outputText } = ts.transpileModule(code, { compilerOptions: { module: ts.ModuleKind.ESNext } })
  const { linesByItemId } = await import(`data:text/javascript,${encodeURIComponent(outputText)}`)
  return linesByItemId
}

it('maps item ids to lines with the code from docs/guide/your-store/portal.md', async () => {
  const linesByItemId = await importMapping()
  if (typeof linesByItemId !== 'function') throw new Error('The guide has no mapping.')
  const lines = [
    { id: '9001', sku: 'tea', nextOrderOnly: false },
    { id: '9002', sku: 'pot', nextOrderOnly: false },
    { id: '9003', sku: 'tea', nextOrderOnly: true },
    { id: '9004', sku: 'tea', nextOrderOnly: false },
  ]
  const [tea, pot, once, more] = lines
  expect(linesByItemId(lines)).toEqual(
    new Map([
      ['tea', [tea, more]],
      ['pot', [pot]],
      ['tea~once', [once]],
    ]),
  )
  expect(linesByItemId([]).get('tea')).toBeUndefined()
})
