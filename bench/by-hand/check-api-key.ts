import { hash } from 'node:crypto'
import { apiKey } from '../shop.ts'

const accepted = hash('sha256', apiKey)

/** Whether a key is the right one: compared as digest, in constant time. */
export function isAcceptedKey(presented: string): boolean {
  const digest = hash('sha256', presented)
  let differences = digest.length ^ accepted.length
  for (let index = 0; index < digest.length; index++)
    differences |= digest.charCodeAt(index) ^ accepted.charCodeAt(index)
  return differences === 0
}
