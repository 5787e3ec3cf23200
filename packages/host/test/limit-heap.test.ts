import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { transformSync } from 'esbuild'
import { expect, it } from 'vitest'

const source = new URL('../src/limit-heap.ts', import.meta.url)

/**
 * To how many megabytes V8 lets the heap grow before it collects again, when a collection has just left some 17 MB alive, under a
 * load whose objects outlive a small young generation. V8 tells it in a trace; how much the heap holds in the end depends on the
 * processors as well, since it is marked beside the program. In a process of its own, since the flags are the whole process's.
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

it('keeps the heap close to what is alive, in a running process of this version of Node', () => {
  expect(megabytesUntilNextCollection('')).toBeGreaterThan(75)
  expect(megabytesUntilNextCollection('limitHeap()')).toBeLessThan(40)
})
