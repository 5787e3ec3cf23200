import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { transformSync } from 'esbuild'
import { expect, it } from 'vitest'

const source = new URL('../src/limit-young-generation.ts', import.meta.url)

/** Megabytes of the young generation after a load that outlives several of its collections; a process of its own, since the flag is its whole. */
function youngMegabytes(limit: string): number {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8'
    ${transformSync(readFileSync(source, 'utf8'), { loader: 'ts' }).code}
    ${limit}
    const kept = []
    for (let turn = 0; turn < 500_000; turn++) kept[turn % 20_000] = { text: 'turn ' + turn, turn: [turn] }
    console.log(getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size)`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return Number(stdout) / 2 ** 20
}

it('keeps the young generation as it is, in a running process of this version of Node', () => {
  expect(youngMegabytes('')).toBeGreaterThan(8)
  expect(youngMegabytes('limitYoungGeneration()')).toBeLessThanOrEqual(2)
})
