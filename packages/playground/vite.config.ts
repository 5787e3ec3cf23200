import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Builds the page. Everything but `index.html` goes below `/playground/`, so that the page claims no other path of its host. */
export default defineConfig({
  root: fileURLToPath(new URL('page', import.meta.url)),
  base: './',
  plugins: [react()],
  resolve: { tsconfigPaths: true },
  build: {
    outDir: fileURLToPath(new URL('dist/page', import.meta.url)),
    emptyOutDir: true,
    assetsDir: 'playground',
    // The content security policy allows no data: addresses in style sheets.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // How long plugins take is nothing that whoever starts the host must read.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
})
