import { expect, it } from 'vitest'
import { bundle } from '../bench/sections/bundle.ts'

it('keeps one endpoint for the edge below 28,000 bytes, minified and compressed', { timeout: 120_000 }, async () => {
  const { rows } = await bundle()
  const sizes = new Map(rows.map(([name, bytes = '']) => [name, Number(bytes.replaceAll(',', ''))]))
  const size = sizes.get('StorePort, one endpoint')
  // One that is far smaller is none that was bundled with all that it needs.
  expect(size).toBeGreaterThan(10_000)
  expect(size).toBeLessThan(28_000)
})
