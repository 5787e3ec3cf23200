import { execFileSync } from 'node:child_process'
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

it('lists the components of a package with the command of the release workflow', () => {
  const [, words = ''] = /npm (sbom .*?) >/.exec(readFileSync(`${folder}/publish.yml`, 'utf8')) ?? []
  const command = words.replace('"$folder"', 'packages/store-memory').split(' ')
  const { components }: { components: readonly { name: string }[] } = JSON.parse(
    execFileSync('npm', command, { encoding: 'utf8' }),
  )
  expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(['store-memory', 'core', 'rules']))
})
