import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly scripts: Readonly<Record<string, string>>
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8'))
}

it.each(readdirSync('tools'))('uses the same versions in tools/%s and in its examples', (name) => {
  const tool = readManifest(`tools/${name}/package.json`).dependencies
  const examples = readdirSync('examples')
    .map((folder) => readManifest(`examples/${folder}/package.json`))
    .filter(({ scripts }) => Object.values(scripts).some((script) => script.endsWith(`--link ${name}`)))
  for (const { dependencies, devDependencies } of examples) {
    const both = Object.entries({ ...dependencies, ...devDependencies }).filter(([dependency]) => dependency in tool)
    expect(both.length).toBeGreaterThan(0)
    expect(both).toEqual(both.map(([dependency]) => [dependency, tool[dependency]]))
  }
})
