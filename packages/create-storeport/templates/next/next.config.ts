import type { NextConfig } from 'next'

const config: NextConfig = {
  // Without this setting, Next redirects paths with a trailing slash before the integration can return 404.
  skipTrailingSlashRedirect: true,
}

export default config
