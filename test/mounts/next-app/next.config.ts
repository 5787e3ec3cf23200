import type { NextConfig } from 'next'

const basePath = process.env['STOREPORT_TEST_BASE_PATH'] ?? ''

/** Slashes at the end are left to the integration, as docs/guide/mount.md says. */
const config: NextConfig = {
  basePath,
  distDir: basePath === '' ? '.next/plain' : '.next/base-path',
  skipTrailingSlashRedirect: true,
  // `npm run types` checks these files too.
  typescript: { ignoreBuildErrors: true },
}

export default config
