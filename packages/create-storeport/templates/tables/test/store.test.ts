import { execFileSync } from 'node:child_process'
import { readProfile, sendTo } from '@storeport/conformance'
import { behavesLikeStorePort } from '@storeport/conformance/vitest'

const { TEST_DATABASE_URL } = process.env
if (TEST_DATABASE_URL === undefined) throw new Error('Set TEST_DATABASE_URL to an empty database.')
const apiKey = 'a-key-for-tests-only'
const settings = { DATABASE_URL: TEST_DATABASE_URL, STOREPORT_API_KEY: apiKey, STOREPORT_LOG: 'fatal' }
Object.assign(process.env, settings)

await behavesLikeStorePort('my-shop', {
  start: async () => {
    execFileSync(process.execPath, ['--import', 'tsx', 'setup.ts'], { stdio: 'inherit' })
    const { integration } = await import('../integration.ts')
    const { close } = await import('../database.ts')
    const profile = await readProfile('profile.jsonc')
    return { send: sendTo((request) => integration.fetch(request)), apiKey, profile, stop: close }
  },
})
