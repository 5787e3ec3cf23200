import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Puts the licences of the fonts beside them: nobody may pass a font on without its licence. */
const fontLicences: Plugin = {
  name: 'font-licences',
  generateBundle() {
    const folder = new URL('page/fonts/', import.meta.url)
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.txt'))) {
      this.emitFile({ type: 'asset', name, source: readFileSync(new URL(name, folder)) })
    }
  },
}

/** Builds the page. Everything but `index.html` goes below `/playground/`, so that the page claims no other path of its host. */
export default defineConfig({
  root: fileURLToPath(new URL('page', import.meta.url)),
  base: './',
  plugins: [react(), fontLicences],
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
