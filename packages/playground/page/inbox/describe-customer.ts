import type { PlaygroundConfig } from '../../src/protocol.ts'
import { texts } from '../texts.ts'

/** What a customer is, in words: the host's, those of the role, or that somebody typed the address. */
export function describeCustomer({ customers }: Pick<PlaygroundConfig, 'customers'>, email: string): string {
  const customer = customers.find((known) => known.email === email)
  if (customer === undefined) return texts.customers.typed
  return customer.label ?? texts.customers.roles[customer.role]
}
