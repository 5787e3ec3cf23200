import type { NextConfig } from 'next'

const config: NextConfig = {
  // Without this option, Next.js redirects paths with a trailing slash before StorePort can return 404.
  skipTrailingSlashRedirect: true,
}

export default config
