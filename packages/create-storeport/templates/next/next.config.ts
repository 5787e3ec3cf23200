import type { NextConfig } from 'next'

const config: NextConfig = {
  // A path with a slash at its end is none of the API: without this, Next redirects it before the integration sees it.
  skipTrailingSlashRedirect: true,
}

export default config
