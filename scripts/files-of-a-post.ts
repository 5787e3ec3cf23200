import { mkdtemp, rm } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createIntegration } from '@storeport/core'
import { toExpress } from '@storeport/express'
import { openSqlStore } from '@storeport/store-sql'
import { listening } from '@storeport/testing/listen'
import { key, send } from '@storeport/testing/send'
import express from 'express'

const sources = new URL('../packages/', import.meta.url).href

/** Returns the source files that run code for the second add-product request of a process, from Express to SQLite. */
export async function filesOfPost(): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'storeport-size-'))
  const store = await openSqlStore({ url: `sqlite:${join(folder, 'store.db')}`, seed: 'if-empty' })
  const app = express().use(toExpress(createIntegration({ store, apiKeys: [key] })))
  const { url, stop } = await listening(app)
  const session = new Session()
  try {
    const post = async (product_id: string) => {
      const body = { email: 'subscription@example.com', product_id }
      const { status, text } = await send(url, '/integration/upsells/add-product', { body })
      if (status !== 200) throw new Error(text)
    }
    await post('test_12345')
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await post('test_54321')
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return (
      result
        .filter((script) => script.url.startsWith(sources))
        // Excludes the range at offset 0, because it is the top-level code of a module.
        .filter(({ functions }) =>
          functions.some(({ ranges: [range] }) => range && range.startOffset > 0 && range.count > 0),
        )
        .map((script) => relative('.', fileURLToPath(script.url)))
        .toSorted()
    )
  } finally {
    session.disconnect()
    await stop()
    await store.close()
    await rm(folder, { recursive: true })
  }
}
