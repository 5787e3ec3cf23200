import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join, posix } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { installTool } from '@storeport/testing/install-tool'
import { listening } from '@storeport/testing/listen'
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  collectComplaints,
  findAxe,
  noBrowser,
  openBrowser,
  overflowOf,
  windowSizes,
  withoutContrast,
} from './describe-in-browser.ts'

const folder = mkdtempSync(join(tmpdir(), 'storeport-site-'))
let files: readonly string[] = []

beforeAll(async () => {
  const find = await installTool('docs')
  const vitepress = join(find.resolve('vitepress/package.json'), '../bin/vitepress.js')
  // A dead link fails the build.
  await promisify(execFile)(process.execPath, [vitepress, 'build', 'tools/docs', '--outDir', folder])
  files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
})
afterAll(() => rmSync(folder, { recursive: true }))

const read = (file: string) => readFileSync(join(folder, file), 'utf8')

/** Returns the HTML file of a path on the site. */
function fileOf(path: string): string {
  return path.endsWith('/') ? `${path.slice(1)}index.html` : `${path.slice(1)}${extname(path) === '' ? '.html' : ''}`
}

it('links only to existing pages and headings', () => {
  const dead = files
    .filter((file) => file.endsWith('.html'))
    .flatMap((file) => {
      const page = `/${file.replace(/(?:(^|\/)index)?\.html$/, '$1')}`
      const links = [...read(file).matchAll(/href="([^"#]*)(?:#([^"]*))?"/g)]
      return links
        .filter(([, path = '']) => !/^[a-z]+:/.test(path))
        .filter(([, path = '', hash = '']) => {
          const target = fileOf(
            path === '' ? page : posix.resolve(posix.dirname(page), path) + (/.\/$/.test(path) ? '/' : ''),
          )
          if (!existsSync(join(folder, target))) return true
          return hash !== '' && !read(target).includes(` id="${decodeURIComponent(hash)}"`)
        })
        .map(([link]): [string, string] => [link, file])
    })
  // The sidebar repeats a link on every page, so each link is reported once.
  expect(Object.fromEntries(dead)).toEqual({})
})

it('contains each page as Markdown, and one file with all pages', () => {
  const pages = files.filter((file) => file.endsWith('.html') && file !== '404.html')
  expect(pages.filter((file) => !files.includes(file.replace(/html$/, 'md')))).toEqual([])
  expect(read('llms-full.txt')).toContain('# Frequently asked questions')
  expect(read('llms.txt')).toContain('(/guide/faq.md)')
})

describe.skipIf(noBrowser)('in a browser', () => {
  let browser: Browser
  let site: Awaited<ReturnType<typeof listening>>
  beforeAll(async () => {
    browser = await openBrowser()
    const types: Readonly<Record<string, string>> = {
      '.html': 'text/html',
      '.js': 'text/javascript',
      '.css': 'text/css',
      '.svg': 'image/svg+xml',
    }
    site = await listening((req, res) => {
      const file = join(folder, fileOf(new URL(req.url ?? '/', 'http://site').pathname))
      if (!existsSync(file)) return void res.writeHead(404).end()
      res.setHeader('Content-Type', types[extname(file)] ?? 'application/octet-stream')
      res.setHeader('Cache-Control', 'max-age=600').end(readFileSync(file))
    })
  })
  afterAll(async () => {
    await browser.close()
    await site.stop?.()
  })

  /** Opens a page of the site; collects errors, origins and the size of compressed scripts. */
  async function open(path: string, colorScheme: 'light' | 'dark' = 'light', viewport = { width: 1440, height: 900 }) {
    const context = await browser.newContext({ colorScheme, viewport, reducedMotion: 'reduce' })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const complaints = collectComplaints(page)
    const origins = new Set<string>()
    const sizes: Promise<number>[] = []
    page.on('response', (response) => {
      if (response.url().startsWith('data:')) return
      origins.add(new URL(response.url()).origin)
      if (response.url().endsWith('.js')) sizes.push(response.body().then((body) => gzipSync(body).length))
    })
    await page.goto(`${site.url}${path}`, { waitUntil: 'networkidle' })
    // Vue sets this property when the page reacts to input.
    await page.waitForFunction('document.querySelector("#app").__vue_app__ !== undefined')
    const scripts = async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    return { page, complaints, origins, scripts }
  }

  it.each(['/', '/guide/api', '/guide/start', '/guide/tutorial'])(
    'loads %s from its own host with at most 150 KB of scripts',
    async (path) => {
      const { complaints, origins, scripts } = await open(path)
      expect([complaints, [...origins]]).toEqual([[], [site.url]])
      expect(await scripts()).toBeLessThan(150_000)
    },
  )

  it.each(['light', 'dark'] as const)(
    'has no axe violations and no overflow in the %s color scheme',
    async (scheme) => {
      for (const viewport of windowSizes) {
        for (const path of ['/', '/guide/api', '/guide/start', '/404']) {
          const { page } = await open(path, scheme, viewport)
          if (path === '/404') await page.getByRole('heading', { name: 'This page does not exist' }).waitFor()
          else {
            await page.getByRole('button', { name: 'in this page' }).first().click()
            await page.getByText(/^Requests to this shop: [1-9]/).waitFor()
          }
          const found = [await overflowOf(page), await findAxe(page)]
          expect(found, `${path} ${viewport.width}`).toEqual([0, []])
        }
      }
    },
  )

  it('has no axe violations in the content of any page', async () => {
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    const found: Record<string, string[]> = {}
    for (const file of files.filter((name) => name.endsWith('.html') && name !== '404.html')) {
      const content = /<main.*<\/main>/s.exec(read(file))?.[0] ?? ''
      await page.setContent(`<!doctype html><html lang="en"><title>Page</title><body>${content}`)
      const violations = await findAxe(page, withoutContrast)
      if (violations.length > 0) found[file] = violations
    }
    expect(found).toEqual({})
  })

  it('lists the right page first for the questions and the words of a reader', async () => {
    const { page } = await open('/')
    const questions = readFileSync('docs/guide/faq.md', 'utf8').match(/(?<=^## ).*\?/gm) ?? []
    expect(questions.length).toBeGreaterThan(9)
    for (const question of questions) {
      await page.keyboard.press('/')
      await page.getByRole('searchbox').fill(question)
      await page.locator('.result', { hasText: question }).first().click()
      await page.getByRole('heading', { name: question }).waitFor()
    }
    // Neighbors have different pages, because the results of the earlier word stay for a moment.
    for (const [word = '', path] of [
      ['double charge', '/guide/retries'],
      ['refund', '/guide/faq'],
      ['gdpr', '/guide/support'],
      ['unsubscribe', '/guide/faq'],
      ['staging', '/guide/support'],
      ['maintenance', '/guide/faq'],
      ['coupon', '/guide/your-store/discounts'],
      ['deploy', '/guide/go-live'],
      ['cron', '/guide/billing'],
      ['kubernetes', '/guide/go-live'],
      ['mongodb', '/guide/own-database'],
      ['login', '/guide/limits'],
      ['pause', '/guide/faq'],
      ['duplicate order', '/guide/retries'],
      ['price', '/guide/from-your-platform'],
      ['skip', '/guide/faq'],
      ['postgres', '/packages/store-sql'],
      ['currency', '/guide/faq'],
    ]) {
      await page.keyboard.press('/')
      await page.getByRole('searchbox').fill(word)
      await page.locator(`.results li:first-child [href^="${path}#"]`).waitFor({ timeout: 5000 })
      await page.keyboard.press('Escape')
    }
  })

  it('copies a page as Markdown, and shows a tab for each framework', async () => {
    const { page } = await open('/guide/start')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy page' }).click()
    await page.getByRole('button', { name: 'Copied as Markdown' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^# Quickstart\n/)
    await page.getByText('Fastify', { exact: true }).click()
    await page.getByText('--framework fastify').waitFor()
  })

  it('answers the requests of the tutorial with its stores, without a network connection', async () => {
    const { page } = await open('/guide/tutorial')
    await page.waitForLoadState('networkidle')
    const [products, subscription, delay, send] = await page.locator('.run-request').all()
    const run = async (example: Locator | undefined, text: string) => {
      await example?.getByRole('button', { name: 'Run' }).click()
      await example?.getByText(text).waitFor()
    }
    await run(products, '"id": "filters"')
    await page.context().setOffline(true)
    await run(subscription, '"next_billing_date": "2030-01-15"')
    await run(delay, '"success": true')
    await run(subscription, '"next_billing_date": "2030-01-18"')
    await run(send, '"success": true')
    await run(send, 'the store method did not run')
    await send?.getByRole('textbox').fill('POST /integration/customer-portal/send-now\n{"email":"nobody@example.com"}')
    await run(send, 'customer_not_found')
  })

  it('sends the clicks of an email to a shop in the page, without a network connection', async () => {
    const { page, complaints, origins } = await open('/guide/start')
    await page.getByRole('button', { name: 'Try the email' }).click()
    await page.getByText('Requests to this shop: 3').waitFor()
    await page.waitForLoadState('networkidle')
    await page.context().setOffline(true)
    await page.getByLabel('Send each click twice').check()
    await page.getByRole('button', { name: 'Send Now' }).click()
    await page.getByRole('button', { name: 'Yes, ship it now' }).click()
    await page.getByText('Your box is on its way.').waitFor()
    await page.getByText('send-now → 200, the store method did not run').waitFor()
    await page.getByRole('button', { name: 'Reset the shop' }).click()
    await page.getByText('Requests to this shop: 3').waitFor()
    expect([complaints, [...origins]]).toEqual([[], [site.url]])
  })
})
