import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { transformSync } from 'esbuild'
import { expect, it } from 'vitest'

const source = new URL('../src/limit-heap.ts', import.meta.url)

/**
 * The most megabytes of both generations under a load whose objects outlive a small young one, so that the old one has to be
 * collected as well. In a process of its own, since the flags are the whole process's.
 */
function peakMegabytes(limit: string): number {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8'
    ${transformSync(readFileSync(source, 'utf8'), { loader: 'ts' }).code}
    ${limit}
    const kept = []
    let peak = 0
    for (let turn = 0; turn < 1_200_000; turn++) {
      kept[turn % 100_000] = { text: 'turn ' + turn, turn: [turn] }
      if (turn % 10_000 > 0) continue
      const spaces = getHeapSpaceStatistics().filter((space) => /^(?:new|old)_space$/.test(space.space_name))
      peak = Math.max(peak, spaces.reduce((sum, space) => sum + space.space_size, 0))
    }
    console.log(peak / 2 ** 20)`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return Number(stdout)
}

it('keeps the heap close to what is alive, in a running process of this version of Node', () => {
  expect(peakMegabytes('')).toBeGreaterThan(80)
  expect(peakMegabytes('limitHeap()')).toBeLessThan(50)
})
