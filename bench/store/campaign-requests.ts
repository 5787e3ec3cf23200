import { wireText } from '../measure/requests.ts'
import { apiKey } from '../shop.ts'
import { activeCustomers } from './calls.ts'

/** Most customers who read, and who click: each comes again only when all have had their turn. */
const mostCustomers = 50_000

/**
 * Makes the texts of requests by their turns: reads of a subscription and, if `clickEvery` is not 0, every so many turns
 * a click. They are made beforehand as far as possible: who sends them shares the cores with the server.
 */
export function readsWithClicks(customers: number, clickEvery: number): (turn: number) => string {
  const count = Math.min(mostCustomers, Math.floor(customers / 2))
  const reads = activeCustomers(count, customers, 1).map(readText)
  const clicking = clickEvery === 0 ? [] : activeCustomers(count, customers, 2)
  let clicks = 0
  return (turn) => {
    if (clickEvery > 0 && turn % clickEvery === 0) return clickText(clicking, clicks++)
    return reads[turn % reads.length] ?? ''
  }
}

function readText(email: string): string {
  const path = `/integration/customer-portal/subscription?email=${encodeURIComponent(email)}`
  return wireText({ method: 'GET', path, headers: { 'X-Integration-API-Key': apiKey } })
}

/** A customer whose turn comes again clicks on another product: else it could be a repeat of the click before. */
function clickText(emails: readonly string[], click: number): string {
  const email = emails[click % emails.length]
  const product_id = products[Math.floor(click / emails.length) % products.length]
  return wireText({
    method: 'POST',
    path: '/integration/upsells/add-product',
    headers: { 'X-Integration-API-Key': apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, product_id, quantity: 1, one_time: false }),
  })
}

const products = ['test_12345', 'test_67890', 'test_54321']
