import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { send } from './ask.ts'
import { buildPage } from './build-page.ts'
import { type RunningShop, shopForTest, startShop } from './start-shop.ts'

let pageFolder: string
let shop: RunningShop
beforeAll(async () => {
  pageFolder = await buildPage()
  shop = await startShop({ playground: { pageFolder } })
})
afterAll(() => shop.stop())

it('serves the page with a policy that allows only its own scripts and styles', async () => {
  const { status, headers, text } = await send(`${shop.url}/?some=query`)
  expect([status, text]).toEqual([200, expect.stringContaining('<div id="root">')])
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  const directives = (headers['content-security-policy'] ?? '').split('; ')
  expect(directives).toContain("require-trusted-types-for 'script'")
  for (const source of ['script', 'style', 'font', 'connect']) expect(directives).toContain(`${source}-src 'self'`)
  for (const name of ['default-src', 'base-uri', 'form-action', 'frame-ancestors', 'trusted-types']) {
    expect(directives).toContain(`${name} 'none'`)
  }
})

it('references only files under /playground/, which are cached permanently', async () => {
  const { text } = await send(`${shop.url}/`)
  const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file)
  expect(files).toHaveLength(5)
  for (const file of files) {
    expect(file).toMatch(/^\.\/playground\/[\w-]+\.(?:js|css|svg|woff2)$/)
    const { status, headers } = await send(`${shop.url}/${file.slice(2)}`)
    expect([status, headers['cache-control']]).toEqual([200, 'private, max-age=31536000, immutable'])
    expect(headers['content-type']).toMatch(/^(?:text\/javascript|text\/css|image\/svg\+xml|font\/woff2)/)
  }
})

it('contains a license for each font', async () => {
  const files = await readdir(join(pageFolder, 'playground'))
  for (const name of ['inter', 'fraunces', 'jetbrains-mono']) {
    expect(files).toContainEqual(expect.stringMatching(new RegExp(`^${name}-[\\w-]+\\.woff2$`)))
    const license = files.find((file) => file.startsWith(`${name}-OFL`)) ?? ''
    const { headers, text } = await send(`${shop.url}/playground/${license}`)
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(text).toContain('SIL Open Font License, Version 1.1')
  }
})

it('has a total compressed size of at most 200 KB', async () => {
  const published = await buildPage('production')
  const entries = await readdir(published, { recursive: true, withFileTypes: true })
  const files = entries.filter(({ name }) => /\.(?:html|js|css|svg|woff2)$/.test(name))
  const sizes = files.map(async ({ parentPath, name }) => {
    const content = await readFile(join(parentPath, name))
    // Measures the gzip size, because every proxy supports gzip. Fonts are already compressed.
    return name.endsWith('.woff2') ? content.length : gzipSync(content).length
  })
  expect(sizes.length).toBeGreaterThan(6)
  expect((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(200_000)
})

it.each([
  ['HEAD', '/', 200, ''],
  ['POST', '/', 405, 'Use GET'],
  ['GET', '/playground/', 404, 'File not found'],
  ['GET', '/playground/nothing.js', 404, 'File not found'],
  ['GET', '/playground/%2e%2e%2fx', 404, 'File not found'],
  // Requests for other paths are passed to the next handler.
  ['GET', '/images/test_12345.svg', 200, '<svg'],
  ['GET', '/integration/upsells/products', 401, 'unauthorized'],
])('%s %s returns %i', async (method, path, status, part) => {
  const text = part === '' ? '' : expect.stringContaining(part)
  expect(await send(shop.url + path, { method })).toMatchObject({ status, text })
})

it('returns 503 with the build command if the page has not been built', async () => {
  const { url } = await shopForTest({ playground: { pageFolder: 'no such folder' } })
  expect(await send(`${url}/`)).toMatchObject({ status: 503, text: expect.stringContaining('npm run build') })
})
