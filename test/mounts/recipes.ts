import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { keys } from '@storeport/testing/keys'
import { shopAt } from '@storeport/testing/shop-at'
import { expect } from 'vitest'

/** Modules that the recipes import: a memory store with the seed, and an integration for this store. */
const modules = {
  store: `
import { createMemoryStore } from '@storeport/store-memory'
export const store = createMemoryStore()
`,
  integration: `
import { createIntegration } from '@storeport/core'
import { store } from './store.ts'
export const integration = createIntegration({ store, apiKeys: [process.env.STOREPORT_API_KEY] })
`,
}

/** Returns the first code block in each section of docs/guide/mount.md, by heading. */
export async function readRecipes(): Promise<ReadonlyMap<string, string>> {
  const guide = await readFile('docs/guide/mount.md', 'utf8')
  const sections = guide.split(/^## /m).map((section): [string, string | undefined] => {
    return [section.split('\n', 1)[0] ?? '', /^```(?:ts|js)\n([^]*?)^```/m.exec(section)?.[1]]
  })
  return new Map(sections.flatMap(([heading, code]) => (code === undefined ? [] : [[heading, code]])))
}

/** Replaces port 3000 in a documented program with a free port, and assigns the result of `app.listen` to `server`. */
function onFreePort(code: string): string {
  return code.replace(/\b3000\b/, '0').replace(/^app\.listen/m, 'const server = app.listen')
}

export type RecipeFolder = Awaited<ReturnType<typeof createRecipeFolder>>

/** Creates a folder inside the repository, so that recipes can import the packages. */
export async function createRecipeFolder() {
  const recipes = await readRecipes()
  const folder = await mkdtemp(resolve('test/recipes-'))

  async function write(name: string, code: string): Promise<string> {
    const file = join(folder, name)
    await writeFile(file, code)
    return file
  }

  for (const [name, code] of Object.entries(modules)) await write(`${name}.ts`, code)
  return {
    /** Writes a recipe that listens on a free port, followed by `ending`, which can use `server`. */
    write: (heading: string, ending = '') => {
      const recipe = recipes.get(heading)
      if (recipe === undefined) throw new Error(`The guide has no recipe for ${heading}.`)
      const code = onFreePort(recipe)
      const imports = Object.keys(modules)
        .filter((name) => new RegExp(`(?<![/\\w])${name}[.,)]`).test(code))
        .map((name) => `import { ${name} } from './${name}.ts'`)
      return write(`${heading.toLowerCase().replace(/\W+/g, '-')}.ts`, [...imports, code, ending, ''].join('\n'))
    },
    writeFile: write,
    remove: () => rm(folder, { recursive: true }),
  }
}

/** Asserts that a server lists the seed products, applies a change and rejects a request without an API key. */
export async function expectSeedServed(
  baseUrl: string,
  send: (request: Request) => Promise<Response> = fetch,
): Promise<void> {
  const shop = shopAt(baseUrl, keys.first, send)
  const { products } = await shop.listProducts({})
  expect(products.map(({ id }) => id)).toEqual(['test_12345', 'test_67890', 'test_54321'])
  const email = 'subscription@example.com'
  await shop.addProduct({ email, product_id: 'test_54321' })
  expect((await shop.getSubscription({ email })).items.map(({ title }) => title)).toContain('Hand Grinder')
  expect((await send(new Request(`${baseUrl}/integration/upsells/products`))).status).toBe(401)
}
