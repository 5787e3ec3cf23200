import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './pages.ts'

/** Matches the content of each `store.ts` in the tutorial. */
const storeFence = /^```ts\n([^]*?^export function createStore[^]*?)^```/gm

const all = 'virtual:tutorial-stores'
const one = /^virtual:tutorial-store-(\d+)\.ts$/

/** Vite plugin that compiles the stores of the tutorial, so that the page answers requests with the displayed code. */
export function compileTutorialStores() {
  return {
    name: 'tutorial-stores',
    resolveId: (id: string) => (id === all || one.test(id) ? id : undefined),
    load(id: string) {
      if (id === all) {
        const steps = [...readStores().keys()]
        const imports = steps.map(
          (step) => `import { createStore as step${step} } from 'virtual:tutorial-store-${step}.ts'`,
        )
        return `${imports.join('\n')}\nexport const tutorialStores = [${steps.map((step) => `step${step}`).join(', ')}]`
      }
      const [, step] = one.exec(id) ?? []
      return step === undefined ? undefined : readStores()[Number(step)]
    },
  }
}

/** Returns the source of the store of the new project, and of each `store.ts` of the tutorial. */
function readStores(): readonly string[] {
  const page = readFileSync(join(root, 'docs/guide/tutorial.md'), 'utf8')
  const template = readFileSync(join(root, 'packages/create-storeport/templates/own/store.ts'), 'utf8')
  return [template, ...[...page.matchAll(storeFence)].map(([, content = '']) => content)]
}
