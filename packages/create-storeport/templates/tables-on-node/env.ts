import { existsSync } from 'node:fs'

// Loads the settings from `.env` in development. In production, set them as environment variables.
if (existsSync('.env')) process.loadEnvFile('.env')

export const apiKeys = [process.env['STOREPORT_API_KEY']]
