import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { send } from './ask.ts'
import { buildPage } from './build-page.ts'
import { type RunningShop, shopForTest, startShop } from './start-shop.ts'

describe('the page', () => {
  let pageFolder: string
  let shop: RunningShop

  beforeAll(async () => {
    pageFolder = await buildPage()
    shop = await startShop({ playground: { pageFolder } })
  })
  afterAll(() => shop.stop())

  it('is served at / without caching', async () => {
    const { status, headers, text } = await send(`${shop.url}/?some=query`)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    expect(text).toContain('<div id="root">')
  })

  it('allows only its own scripts and styles, and requires Trusted Types', async () => {
    const policy = String((await send(`${shop.url}/`)).headers['content-security-policy'])
    for (const source of ['script', 'style', 'font', 'connect']) expect(policy).toContain(`${source}-src 'self';`)
    for (const directive of ['default-src', 'base-uri', 'form-action', 'frame-ancestors', 'trusted-types']) {
      expect(policy).toContain(`${directive} 'none'`)
    }
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toContain('unsafe')
  })

  it('references only files under /playground/, which are cached permanently', async () => {
    const { text } = await send(`${shop.url}/`)
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file)
    expect(files).toHaveLength(5)
    for (const file of files) {
      expect(file).toMatch(/^\.\/playground\/[\w-]+\.(?:js|css|svg|woff2)$/)
      const { status, headers } = await send(`${shop.url}/${file.slice(2)}`)
      expect(status).toBe(200)
      expect(headers).toMatchObject({ 'cache-control': 'private, max-age=31536000, immutable' })
      expect(headers['content-type']).toMatch(/^(?:text\/javascript|text\/css|image\/svg\+xml|font\/woff2)/)
    }
  })

  it('contains its fonts and a license for each font', async () => {
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
    const files = (await readdir(published, { recursive: true, withFileTypes: true })).filter((entry) =>
      /\.(?:html|js|css|svg|woff2)$/.test(entry.name),
    )
    const sizes = await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const content = await readFile(join(parentPath, name))
        // Measures the gzip size, because every proxy supports gzip. Fonts are already compressed.
        return name.endsWith('.woff2') ? content.length : gzipSync(content).length
      }),
    )
    expect(sizes.length).toBeGreaterThan(6)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(200_000)
  })

  it('returns no body for HEAD, 405 for other methods and 404 for missing files', async () => {
    expect(await send(`${shop.url}/`, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
    const posted = await send(`${shop.url}/`, { method: 'POST' })
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD'])
    for (const path of ['/playground/', '/playground/nothing.js', '/playground/%2e%2e/x']) {
      expect((await send(shop.url + path)).status, path).toBe(404)
    }
  })

  it('passes requests for other paths to the next handler', async () => {
    expect((await send(`${shop.url}/images/test_12345.svg`)).headers['content-type']).toBe('image/svg+xml')
    expect((await send(`${shop.url}/integration/upsells/products`)).status).toBe(401)
  })
})

describe('a page that has not been built', () => {
  it('returns 503 with the build command', async () => {
    const { url } = await shopForTest({ playground: { pageFolder: 'no such folder' } })
    const { status, text } = await send(`${url}/`)
    expect(status).toBe(503)
    expect(text).toContain('npm run build')
  })
})
