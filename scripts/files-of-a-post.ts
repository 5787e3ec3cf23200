import { mkdtemp, rm } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createIntegration } from '@storeport/core'
import { toExpress } from '@storeport/express'
import { openSqlStore } from '@storeport/store-sql'
import express from 'express'

const sources = new URL('../packages/', import.meta.url).href
const apiKey = 'a-key-of-this-script-0001'

/** Returns the source files that run code for the second add-product request of a process, from Express to SQLite. */
export async function filesOfPost(): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'storeport-size-'))
  const store = await openSqlStore({ url: `sqlite:${join(folder, 'store.db')}`, seed: 'if-empty' })
  const app = express().use(toExpress(createIntegration({ store, apiKeys: [apiKey] })))
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const session = new Session()
  try {
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const post = async (product_id: string) => {
      const response = await fetch(`http://127.0.0.1:${port}/integration/upsells/add-product`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-integration-api-key': apiKey },
        body: JSON.stringify({ email: 'subscription@example.com', product_id }),
      })
      if (!response.ok) throw new Error(await response.text())
    }
    await post('test_12345')
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await post('test_54321')
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return (
      result
        .filter(({ url }) => url.startsWith(sources))
        // Excludes the range at offset 0, because it is the top-level code of a module.
        .filter(({ functions }) =>
          functions.some(({ ranges: [range] }) => range && range.startOffset > 0 && range.count > 0),
        )
        .map(({ url }) => relative('.', fileURLToPath(url)))
        .toSorted()
    )
  } finally {
    session.disconnect()
    server.close()
    await store.close()
    await rm(folder, { recursive: true })
  }
}
