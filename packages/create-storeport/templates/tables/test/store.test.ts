import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readProfile, sendTo } from '@storeport/conformance'
import { behavesLikeStorePort } from '@storeport/conformance/vitest'
import pg from 'pg'

if (existsSync('.env')) process.loadEnvFile('.env')
const url = process.env['TEST_DATABASE_URL']
if (!url)
  throw new Error('TEST_DATABASE_URL: is missing. Set the URL of a server on which the test can create a database.')
const name = `test_${crypto.randomUUID().replaceAll('-', '_')}`
const own = Object.assign(new URL(url), { pathname: `/${name}` })
const apiKey = 'a-key-for-tests-only'
Object.assign(process.env, { DATABASE_URL: own.href, STOREPORT_API_KEY: apiKey, STOREPORT_LOG: 'fatal' })

async function runOnServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

await behavesLikeStorePort('my-shop', {
  start: async () => {
    await runOnServer(`create database ${name}`)
    execFileSync(process.execPath, ['--import', 'tsx', 'setup.ts'], { stdio: 'inherit' })
    const { integration } = await import('../integration.ts')
    const { close } = await import('../database.ts')
    const stop = async () => {
      await close()
      await runOnServer(`drop database ${name}`)
    }
    return {
      send: sendTo((request) => integration.fetch(request)),
      apiKey,
      profile: await readProfile('profile.jsonc'),
      stop,
    }
  },
})
