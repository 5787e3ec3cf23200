import { behavesLikeStorePort } from '@storeport/conformance/vitest'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { keys } from '@storeport/testing/keys'
import { installTool } from '@storeport/testing/install-tool'
import { type RunningProgram, startProgram } from '@storeport/testing/start-program'
import { createRecipeFolder, expectSeedServed, readRecipes, type RecipeFolder } from './recipes.ts'

process.env['STOREPORT_API_KEY'] = keys.first

let folder: RecipeFolder
beforeAll(async () => {
  folder = await createRecipeFolder()
})
afterAll(() => folder.remove())

/** Starts a program that prints its URL, and asserts that it serves the seed over HTTP. */
async function expectServedOverHttp(line: string): Promise<void> {
  const { url, stop } = await startProgram(line)
  onTestFinished(stop)
  await expectSeedServed(url)
}

/** Bundles a program into one file, for a runtime that cannot resolve the packages of this repository. */
async function bundle(entry: string, alias: Record<string, string> = {}): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    external: ['express'],
    alias,
  })
  return outputFiles.map(({ text }) => text).join('\n')
}

async function importFunction(file: string, name: string): Promise<(argument: unknown) => Promise<unknown>> {
  const module: unknown = await import(file)
  const exported: unknown = typeof module === 'object' && module !== null ? Reflect.get(module, name) : undefined
  if (typeof exported !== 'function') throw new TypeError(`The recipe does not export a function ${name}.`)
  return async (argument) => Reflect.apply(exported, undefined, [argument])
}

function asResponse(value: unknown): Response {
  if (value instanceof Response) return value
  throw new TypeError('The recipe did not return a Response.')
}

const printUrl = `server.once('listening', () => console.log('http://127.0.0.1:' + server.address().port))`

describe('recipes in Node', { timeout: 60_000 }, () => {
  it.each([
    ['Express', printUrl],
    ['Fastify', 'console.log(app.listeningOrigin)'],
    ['Koa', printUrl],
    [
      'Hono',
      `import { serve } from '@hono/node-server'\nconst server = serve({ fetch: app.fetch, port: 0 })\n${printUrl}`,
    ],
  ])('serves the seed data with %s', async (heading, ending) => {
    await expectServedOverHttp(`node --import tsx ${await folder.write(heading, ending)}`)
  })

  it('serves the seed data with the NestJS recipe on Express', async () => {
    const nest = await folder.writeFile(
      'nest.mjs',
      `import express from 'express'
      async function create() {
        const app = express()
        const listen = (port) => {
          const server = app.listen(port)
          ${printUrl}
        }
        return { use: (handler) => app.use(handler), listen }
      }
      export const NestFactory = { create }`,
    )
    await folder.writeFile('app.module.js', 'export class AppModule {}')
    const code = await bundle(await folder.write('NestJS'), { '@nestjs/core': nest })
    await expectServedOverHttp(`node ${await folder.writeFile('nest-app.mjs', code)}`)
  })
})

/** Functions that start the recipes for other runtimes. */
const runtimes: Readonly<Record<string, () => Promise<RunningProgram>>> = {
  Deno: async () => {
    const file = await folder.writeFile('deno.mjs', await bundle(await folder.write('Deno')))
    const deno = (await installTool('deno')).resolve('deno/bin.cjs')
    return startProgram(`node ${deno} run --no-config --allow-net --allow-env ${file}`)
  },
  Bun: async () => {
    const file = await folder.write('Bun', 'console.log(String(server.url))')
    return startProgram(`${(await installTool('bun')).resolve('bun/bin/bun.exe')} run ${file}`)
  },
  'Cloudflare Workers': async () => {
    return startProgram(`npm start --prefix examples/worker -- ${await folder.write('Cloudflare Workers')}`)
  },
}

for (const [name, startRuntime] of Object.entries(runtimes)) {
  const start = async () => ({ ...(await startRuntime()), apiKey: keys.first })
  const tests = { describe, it, afterAll }
  // The kit skips checks of the HTTP server, because the runtime provides it.
  await behavesLikeStorePort(
    `recipe for ${name}`,
    { start, unsupported: ['raw-path', 'http-parser', 'sockets'] },
    tests,
  )
}

describe('recipes in this process', () => {
  it('serves the seed data with SvelteKit', async () => {
    const fallback = await importFunction(await folder.write('SvelteKit'), 'fallback')
    await expectSeedServed('https://shop.example', async (request) => asResponse(await fallback({ request })))
  })

  it('serves the seed data with Remix and React Router', async () => {
    const file = await folder.write('Remix and React Router')
    const [loader, action] = [await importFunction(file, 'loader'), await importFunction(file, 'action')]
    await expectSeedServed('https://shop.example', async (request) => {
      return asResponse(await (request.method === 'GET' ? loader : action)({ request }))
    })
  })

  it.each([false, true])('serves the seed data with AWS Lambda (base64: %s)', async (isBase64Encoded) => {
    const handler = await importFunction(await folder.write('AWS Lambda'), 'handler')
    await expectSeedServed('https://shop.example', async (request) => {
      const { pathname, search, host } = new URL(request.url)
      const text = await request.text()
      const result = await handler({
        version: '2.0',
        rawPath: pathname,
        rawQueryString: search.slice(1),
        headers: Object.fromEntries(request.headers),
        ...(text !== '' && { body: isBase64Encoded ? Buffer.from(text).toString('base64') : text }),
        isBase64Encoded: isBase64Encoded && text !== '',
        requestContext: { domainName: host, http: { method: request.method } },
      })
      expect(result).toMatchObject({ body: expect.any(String), headers: { 'cache-control': 'no-store' } })
      const { statusCode, body } = JSON.parse(JSON.stringify(result))
      return new Response(body, { status: statusCode })
    })
  })

  it('mounts one endpoint in a router', async () => {
    const file = await folder.write('One endpoint in your own router', 'export const fetch = app.fetch')
    const fetchApp = await importFunction(file, 'fetch')
    const send = (headers: Record<string, string>) =>
      fetchApp(new Request('https://shop.example/delay-my-box', { method: 'POST', headers }))
    expect(asResponse(await send({})).status).toBe(401)
    expect(asResponse(await send({ 'X-Integration-API-Key': keys.first })).status).toBe(415)
  })
})

it('covers every recipe in docs/guide/mount.md', async () => {
  // next.slow.test.ts and the example cover Next.js. docs.test.ts covers the first block.
  const elsewhere = ['# Mount the API in your server', 'Next.js']
  const onNode = ['Express', 'Fastify', 'Koa', 'Hono', 'NestJS']
  const others = ['Deno', 'Bun', 'Cloudflare Workers', 'SvelteKit', 'Remix and React Router', 'AWS Lambda']
  const covered = [...elsewhere, ...onNode, ...others, 'One endpoint in your own router']
  expect(new Set((await readRecipes()).keys())).toEqual(new Set(covered))
})
