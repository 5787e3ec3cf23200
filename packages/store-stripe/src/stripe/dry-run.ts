import { StoreError } from '@storeport/core'
import type { Stripe } from 'stripe'

/** Names of client methods that change nothing at Stripe. */
const isRead = /^(?:list|retrieve|search|createPreview)/

/** Returns a Stripe client that sends only reads. A change is printed, and throws StoreError `store_unavailable` (outcome `refused`). */
export function withoutChanges(stripe: Stripe, print: (request: string) => void): Stripe {
  return wrap(stripe, [], print)
}

function wrap<Target extends object>(
  target: Target,
  path: readonly string[],
  print: (request: string) => void,
): Target {
  return new Proxy(target, {
    get: (object, name) => {
      const value: unknown = Reflect.get(object, name)
      if (typeof name === 'symbol' || value === null) return value
      if (typeof value === 'object') return wrap(value, [...path, name], print)
      if (typeof value !== 'function') return value
      // Methods of the client itself, such as `getApiField`, send nothing.
      const sendsNothing = path.length === 0 && name !== 'rawRequest'
      if (sendsNothing || isRead.test(name)) return value.bind(object)
      return (...call: readonly unknown[]) => {
        print(`${[...path, name].join('.')}(${call.map((part) => JSON.stringify(part)).join(', ')})`)
        throw new StoreError('store_unavailable', 'Dry run: nothing was changed.', { outcome: 'refused' })
      }
    },
  })
}
