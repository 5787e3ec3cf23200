import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { transformSync } from 'esbuild'
import { expect, it } from 'vitest'

const source = new URL('../src/limit-heap.ts', import.meta.url)

/**
 * Returns the heap size in megabytes at which V8 starts the next collection, after a collection that left about 17 MB.
 * Reads the size from a V8 trace, because the final heap size depends on the number of processors. Runs in a separate
 * process, because the flags apply to the whole process.
 */
function megabytesUntilNextCollection(limit: string): number {
  const program = `
    ${transformSync(readFileSync(source, 'utf8'), { loader: 'ts' }).code}
    ${limit}
    const kept = []
    for (let turn = 0; turn < 800_000; turn++) {
      kept[turn % 100_000] = { text: 'turn ' + turn, turn: [turn] }
      if (turn !== 100_000) continue
      gc()
      console.log('collected')
    }`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', '--trace-incremental-marking', '--input-type=module', '--eval', program],
    { encoding: 'utf8' },
  )
  expect(stderr).toBe('')
  const [, megabytes] = /collected[^]*?Start .* (\d+)MB \/ \d+MB global/.exec(stdout) ?? []
  return Number(megabytes)
}

it('limits heap growth in a running process of this Node version', () => {
  expect(megabytesUntilNextCollection('')).toBeGreaterThan(75)
  expect(megabytesUntilNextCollection('limitHeap()')).toBeLessThan(40)
})
