import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Framework, Store } from './choices.ts'
import { compose } from './compose.ts'
import { dockerfile, dockerIgnore } from './dockerfile.ts'
import { environment } from './environment.ts'
import { manifest } from './manifest.ts'
import { readme } from './readme.ts'

/** What a project is made of. */
export interface ProjectOptions {
  /** The name of its package. */
  readonly name: string
  /** What it is mounted on. */
  readonly framework: Framework
  /** Where its data is. */
  readonly store: Store
  /** The API key of its `.env`, 16 characters or more. */
  readonly apiKey: string
}

const templates = fileURLToPath(new URL('../templates', import.meta.url))

/** The files of a project: texts by path, with `/` between folders. */
export function projectFiles({ name, framework, store, apiKey }: ProjectOptions): ReadonlyMap<string, string> {
  const kind = store === 'own' ? 'own' : 'sql'
  const place = framework === 'worker' ? [] : [`${kind}-on-${framework === 'next' ? 'next' : 'node'}`]
  const process = framework === 'worker' || framework === 'next' ? [] : ['server']
  const files = new Map(['base', kind, ...place, ...process, framework].flatMap(filesIn))
  const container = dockerfile(framework, store)
  if (container !== undefined) files.set('Dockerfile', container).set('.dockerignore', dockerIgnore)
  const services = compose(framework, store)
  if (services !== undefined) files.set('compose.yaml', services)
  files.set('package.json', `${JSON.stringify(manifest(name, framework, store), null, 2)}\n`)
  files.set('README.md', readme(name, framework, store))
  files.set('.env', environment(store, apiKey))
  files.set('.env.example', environment(store, ''))
  return new Map([...files].map(([path, text]) => [path, text.replaceAll('my-shop', name)]))
}

function filesIn(template: string): [string, string][] {
  const folder = join(templates, template)
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name)
      // npm leaves a .gitignore out of a package.
      const path = file.slice(folder.length + 1).replace(/^_gitignore$/, '.gitignore')
      return [path.replaceAll(sep, '/'), readFileSync(file, 'utf8')]
    })
}
