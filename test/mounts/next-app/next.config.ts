import type { NextConfig } from 'next'

const basePath = process.env['STOREPORT_TEST_BASE_PATH'] ?? ''

/** Lets the integration handle trailing slashes, as docs/guide/mount.md recommends. */
const config: NextConfig = {
  basePath,
  distDir: basePath === '' ? '.next/plain' : '.next/base-path',
  skipTrailingSlashRedirect: true,
  // `npm run types` checks the types of these files, so `next build` does not need to.
  typescript: { ignoreBuildErrors: true },
}

export default config
