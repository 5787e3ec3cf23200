import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

interface Job {
  readonly 'timeout-minutes'?: number
  readonly steps: readonly { readonly uses?: string }[]
}
interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}

const folder = '.github/workflows'

it.each(readdirSync(folder))(
  'pins the actions, limits the time and grants only read access by default in %s',
  (file) => {
    const { permissions, jobs }: Workflow = parse(readFileSync(`${folder}/${file}`, 'utf8'))
    const steps = Object.values(jobs).flatMap((job) => job.steps)
    const floating = steps.filter(({ uses }) => uses !== undefined && !/@[0-9a-f]{40}$/.test(uses))
    expect({ permissions, floating }).toEqual({ permissions: { contents: 'read' }, floating: [] })
    expect(Object.values(jobs).filter((job) => job['timeout-minutes'] === undefined)).toEqual([])
  },
)
