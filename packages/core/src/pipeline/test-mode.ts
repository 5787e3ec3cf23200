import type { Call } from './call.ts'
import { StoreError } from '../errors.ts'
import { readQuery } from './read-query.ts'

/**
 * Whether a call asks for the test store, by its header or by `?test=true`.
 *
 * `headerName` is the header's in small letters. Throws StoreError `invalid_request` for any other word than `true` and `false`: a misspelt value must not reach the real store.
 */
export function asksForTestStore(call: Call, testModeHeader: string, headerName: string): boolean {
  const byHeader = isTrue(call.header(headerName), testModeHeader)
  const byQuery = call.query.includes('test') && isTrue(readQuery(call.query, testName)['test'], 'test')
  return byHeader || byQuery
}

const testName = ['test']

function isTrue(word: string | null | undefined, where: string): boolean {
  if (word === null || word === undefined || word === 'false') return false
  if (word === 'true') return true
  throw new StoreError('invalid_request', `${where}: must be true or false`)
}
