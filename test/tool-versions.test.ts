import { existsSync, readdirSync, readFileSync } from 'node:fs'
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
    .map((folder) => `examples/${folder}/package.json`)
    .filter((file) => existsSync(file))
    .map(readManifest)
    .filter(({ scripts }) => Object.values(scripts).some((script) => script.endsWith(`--link ${name}`)))
  for (const { dependencies, devDependencies } of examples) {
    const both = Object.entries({ ...dependencies, ...devDependencies }).filter(([dependency]) => dependency in tool)
    expect(both.length).toBeGreaterThan(0)
    expect(both).toEqual(both.map(([dependency]) => [dependency, tool[dependency]]))
  }
})

const locked = ['', ...readdirSync('tools').map((name) => `tools/${name}/`)].filter((folder) =>
  existsSync(`${folder}package-lock.json`),
)

it.each(locked)('has a digest of every package in %spackage-lock.json', (folder) => {
  const { packages }: { packages: Readonly<Record<string, { integrity?: string; link?: boolean }>> } = JSON.parse(
    readFileSync(`${folder}package-lock.json`, 'utf8'),
  )
  const missing = Object.entries(packages)
    .filter(([path, { integrity, link }]) => path.includes('node_modules/') && !link && integrity === undefined)
    .map(([path]) => path)
  expect(missing, 'restore the file, remove node_modules, and run npm install again').toEqual([])
})

it.each(locked)('disables install analytics for the packages in %spackage-lock.json', (folder) => {
  const text = readFileSync(`${folder}package-lock.json`, 'utf8')
  const { scarfSettings }: { scarfSettings?: { enabled: boolean } } = JSON.parse(
    readFileSync(`${folder}package.json`, 'utf8'),
  )
  expect(!text.includes('@scarf/scarf') || scarfSettings?.enabled === false).toBe(true)
})
