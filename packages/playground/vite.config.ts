import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Copies the font licenses into the build, because a font may be redistributed only with its license. */
const fontLicenses: Plugin = {
  name: 'font-licenses',
  generateBundle() {
    const folder = new URL('page/fonts/', import.meta.url)
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.txt'))) {
      this.emitFile({ type: 'asset', name, source: readFileSync(new URL(name, folder)) })
    }
  },
}

/** Build of the page. All files except `index.html` are under `/playground/`, so other paths stay free. */
export default defineConfig({
  root: fileURLToPath(new URL('page', import.meta.url)),
  base: './',
  plugins: [react(), fontLicenses],
  resolve: { tsconfigPaths: true },
  build: {
    outDir: fileURLToPath(new URL('dist/page', import.meta.url)),
    emptyOutDir: true,
    assetsDir: 'playground',
    // Browsers that support `light-dark()`. For older browsers, the build would replace it, and the page's switch would not work.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Inlines no assets, because the content security policy does not allow `data:` URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Hides plugin timings, which are not useful to users who start the host.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
})
