import { existsSync } from 'node:fs'

// Loads the settings for development from `.env`.
if (existsSync('.env')) process.loadEnvFile('.env')

// `npm run check` and `npm run playground` also use this URL.
process.env['STOREPORT_URL'] ||= `http://127.0.0.1:${process.env['PORT'] || 3000}`

/** Settings for development. */
export const { env } = process
