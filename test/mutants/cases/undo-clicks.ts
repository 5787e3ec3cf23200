import type { EndpointName } from '@storeport/core'
import { failure, header, isTo, withHeader } from '../messages.ts'
import { listMutants } from '../list-mutants.ts'
import type { Mutant } from '../mutant.ts'

/** Defects of shops without getSubscription that only some repeated clicks show. */
export const mutants = listMutants({
  request: {
    'one of ten repeated adds counts twice, and nothing shows the subscription': countSomeTwice('addProduct'),
    'one of ten repeated undos counts twice, and nothing shows the subscription': countSomeTwice('undoAddProduct'),
  },
})

/** Simulates a shop without getSubscription in which every tenth repeat is a new click. */
function countSomeTwice(name: EndpointName): NonNullable<Mutant['request']> {
  let [last, repeats] = ['', 0]
  return (sent) => {
    if (isTo(sent, 'getSubscription')) return failure(404, 'endpoint_not_found')
    if (sent.method !== 'POST') return sent
    const isRepeat = last === (last = `${sent.path} ${sent.body} ${header(sent, 'Idempotency-Key')}`)
    if (!isRepeat || !isTo(sent, name)) return sent
    repeats += 1
    return repeats % 10 === 0 ? withHeader(sent, 'Idempotency-Key', crypto.randomUUID()) : sent
  }
}
