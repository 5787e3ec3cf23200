import type { NextConfig } from 'next'

const config: NextConfig = {
  // The API has no paths with a trailing slash. Without this option, Next.js redirects them before StorePort can return 404.
  skipTrailingSlashRedirect: true,
}

export default config
