import { createIntegration } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import { missingProgram } from '@storeport/testing/missing-program'
import { expect, it } from 'vitest'
import { readCommands } from './read-commands.ts'
import { runLine, userEnvironment } from '@storeport/testing/run-as-user'

it.skipIf(missingProgram('/usr/bin/openssl'))(
  'accepts a key and a digest created with the commands from the guide',
  async () => {
    const commands = readCommands().filter(({ page }) => page === 'docs/guide/keys.md')
    const [make = '', digest = ''] = commands.map(({ command }) => command)
    const key = (await runLine('.', make, userEnvironment())).text.trim()
    expect(key).toHaveLength(32)
    const { text } = await runLine('.', digest, userEnvironment({ KEY: key }))

    for (const accepted of [key, `sha256:${text.trim()}`]) {
      const integration = createIntegration({ store: createMemoryStore(), apiKeys: [accepted] })
      const request = new Request('http://localhost/integration/upsells/products', {
        headers: { 'X-Integration-API-Key': key },
      })
      expect((await integration.fetch(request)).status).toBe(200)
    }
  },
)
