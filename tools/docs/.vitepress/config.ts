import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { adaptMarkdown, slugify } from './adapt-markdown.ts'
import { excluded, pageFile, readRepository, root } from './pages.ts'
import { searchOptions } from './search.ts'
import { createSidebar } from './sidebar.ts'
import { compileTutorialStores } from './tutorial-stores.ts'
import { writeTextFiles } from './write-text-files.ts'

const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8'))
const icon = readFileSync(join(root, 'packages/playground/page/icon.svg'), 'base64')
const repository = readRepository()

export default defineConfig({
  title: 'StorePort',
  description: 'Add working buttons to the emails of a subscription shop.',
  lang: 'en',
  // Path of the site on its host, for example `/storeport/`.
  base: process.env['DOCS_BASE'] ?? '/',
  srcDir: root,
  srcExclude: excluded,
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  cleanUrls: true,
  rewrites: pageFile,
  // Pages link to the server that the reader starts.
  ignoreDeadLinks: 'localhostLinks',
  head: [['link', { rel: 'icon', href: `data:image/svg+xml;base64,${icon}` }]],
  // Prefetching would load the scripts of every page in the sidebar.
  router: { prefetchLinks: false },
  markdown: {
    // The default themes have too little contrast.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    anchor: { slugify },
    // Shiki has no grammar for this name.
    languageAlias: { caddyfile: 'nginx' },
    config: adaptMarkdown,
  },
  themeConfig: {
    logo: `data:image/svg+xml;base64,${icon}`,
    nav: [
      { text: 'Quickstart', link: '/guide/start' },
      { text: 'API', link: '/guide/api' },
      { text: 'Emergency stop', link: '/guide/emergency-stop' },
      { text: 'Help', link: '/guide/faq' },
      { text: `Version ${version}`, link: '/changelog' },
    ],
    sidebar: createSidebar(),
    outline: [2, 3],
    search: {
      provider: 'local',
      options: { miniSearch: { searchOptions } },
    },
    ...(repository !== undefined && {
      editLink: { pattern: `${repository}/edit/main/:path`, text: 'Edit this page' },
      socialLinks: [{ icon: 'git', link: repository }],
    }),
  },
  vite: {
    // The site has no other static files.
    publicDir: false,
    plugins: [compileTutorialStores()],
    // An image in an email has a URL. The icons of the email are used from a file.
    build: { assetsInlineLimit: 0 },
    resolve: {
      alias: [
        { find: '@storeport/playground/page', replacement: join(root, 'packages/playground/page') },
        ...['core', 'rules', 'store-memory'].map((name) => ({
          find: `@storeport/${name}`,
          replacement: join(root, `packages/${name}/src/index.ts`),
        })),
      ],
    },
  },
  buildEnd: ({ outDir, pages }) => writeTextFiles(outDir, pages),
})
