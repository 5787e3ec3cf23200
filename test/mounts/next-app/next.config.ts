import type { NextConfig } from 'next'

const basePath = process.env['STOREPORT_TEST_BASE_PATH'] ?? ''

/** Lets the integration handle trailing slashes, as docs/guide/mount.md recommends. */
const config: NextConfig = {
  basePath,
  distDir: basePath === '' ? '.next/plain' : '.next/base-path',
  skipTrailingSlashRedirect: true,
  // `npm run types` checks these files.
  typescript: { ignoreBuildErrors: true },
}

export default config
