import { StoreError } from '@storeport/core'
import { NetworkFailure } from './network-failure.ts'

/** Reads the body of an answer; throws StoreError `upstream_error` when it is too long or not UTF-8, and NetworkFailure when it breaks off. */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return ''
  const reader = response.body.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read().catch(brokenOff)
    bytes += value?.byteLength ?? 0
    if (bytes > maxBytes) {
      await reader.cancel().catch(() => {})
      throw new StoreError('upstream_error', `The shop answered with more than ${maxBytes} bytes.`)
    }
    try {
      text += decoder.decode(value, { stream: !done })
    } catch {
      await reader.cancel().catch(() => {})
      throw new StoreError('upstream_error', 'The shop answered with text that is not UTF-8.')
    }
    if (done) return text
  }
}

function brokenOff(error: unknown): never {
  throw new NetworkFailure(error)
}
