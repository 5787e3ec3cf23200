import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { installNode } from '@storeport/testing/install-node'
import { makeFolder } from '@storeport/testing/make-folder'
import { expect, it, vi } from 'vitest'
import { runLine, userEnvironment } from '@storeport/testing/run-as-user'

// Allows enough time for the first run, which downloads an old version of Node.
vi.setConfig({ testTimeout: 120_000 })

const root = resolve(import.meta.dirname, '../..')
const commands = {
  storeport: 'packages/host/bin/storeport.js',
  'storeport-conformance': 'packages/conformance/bin/storeport-conformance.js',
  'storeport-stripe': 'packages/store-stripe/bin/storeport-stripe.js',
  'create-storeport': 'packages/create-storeport/bin/create-storeport.js',
}

it('uses identical bin files for all commands', () => {
  expect(new Set(Object.values(commands).map((file) => readFileSync(file, 'utf8'))).size).toBe(1)
})

it.each(Object.keys(commands))('runs npx %s from source in a clone without a build', async (name) => {
  const { version }: { version: string } = JSON.parse(readFileSync('packages/core/package.json', 'utf8'))
  const { code, text } = await runLine(root, `npx --no-install ${name} --version 2>/dev/null`, userEnvironment())
  expect([code, text]).toEqual([0, `${version}\n`])
})

it.each(Object.values(commands))('runs %s from another folder', async (file) => {
  const { code, text } = await runLine(await makeFolder('elsewhere'), `${join(root, file)} --help`, userEnvironment())
  expect([code, text]).toEqual([0, expect.stringContaining('--help')])
})

it.each(['18.20.4', '20.18.3', '21.7.3', '22.11.0'])('rejects Node %s with a one-sentence error', async (version) => {
  const other = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`
  for (const file of Object.values(commands)) {
    expect(await runLine(root, `node --import "${other}" ${file} --version`, userEnvironment())).toEqual(
      rejection(version),
    )
  }
})

it('rejects an actual Node 18 binary with a one-sentence error', async () => {
  const node = installNode('18.20.8')
  for (const file of Object.values(commands)) {
    expect(await runLine(root, `${node} ${file} --version`, userEnvironment())).toEqual(rejection('18.20.8'))
  }
})

function rejection(version: string) {
  return { code: 2, text: `StorePort needs Node 20.19, 22.12 or later: this is ${version}\n` }
}
