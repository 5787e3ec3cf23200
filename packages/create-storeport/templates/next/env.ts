import { existsSync } from 'node:fs'
import { readServerSettings } from '@storeport/node'

// Loads the settings from `.env` in development. In production, set them as environment variables.
if (existsSync('.env')) process.loadEnvFile('.env')

/** Port, API keys, trusted proxies and log level. */
export const settings = readServerSettings(process.env)

// `npm run check` and `npm run playground` also use this URL.
process.env['STOREPORT_URL'] ||= `http://127.0.0.1:${settings.port}`
