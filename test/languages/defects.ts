import type { Language } from './start-shop.ts'

/** A text of a shop's source or of the schema, and its replacement. */
export type Replacement = readonly [from: string, to: string]

/** A typical mistake, and its expected report. */
export interface Defect {
  /** The check that fails. */
  readonly check: string
  /** The requirement that the check reports. */
  readonly requirement: string
  /** A part of the reported likely cause. */
  readonly cause: string
  /** The same replacement for each language, one for each, or one in the schema. */
  readonly change: Replacement | Readonly<Record<Language, Replacement>> | { readonly schema: Replacement }
}

/** Defects by description. One shop contains all defects of a group: a defect does not affect the checks of the others. */
export const groups: readonly Readonly<Record<string, Defect>>[] = [
  {
    'accepts any key': {
      check: 'addProduct.rejects-an-invalid-key',
      requirement: 'AUTH-3',
      cause: 'key',
      change: {
        php: [
          "!hash_equals((string) getenv('STOREPORT_API_KEY'), $headers['x-integration-api-key'] ?? '')",
          "!isset($headers['x-integration-api-key'])",
        ],
        python: [
          "len(keys) != 1 or not hmac.compare_digest(keys[0].encode(), os.environ['STOREPORT_API_KEY'].encode())",
          'not keys',
        ],
      },
    },
    'returns prices as strings': {
      check: 'listProducts.returns-products',
      requirement: 'PRODUCTS-1',
      cause: 'Numbers are sent as strings',
      change: {
        php: ["'price' => $row['cents'] / 100", "'price' => (string) ($row['cents'] / 100)"],
        python: ["'price': row['cents'] / 100", "'price': str(row['cents'] / 100)"],
      },
    },
  },
  {
    'returns 403 without a key': {
      check: 'sendNow.rejects-a-request-without-a-key',
      requirement: 'AUTH-1',
      cause: 'key',
      change: {
        php: ["fail(401, 'unauthorized')", "fail(403, 'unauthorized')"],
        python: ["Failure(401, 'unauthorized'", "Failure(403, 'unauthorized'"],
      },
    },
    'returns the tax rate as a percentage': {
      check: 'getSubscription.returns-the-tax-rate-as-a-decimal',
      requirement: 'SUBSCRIPTION-3',
      cause: 'percent',
      change: {
        php: ["$current['tax_rate']", "100 * $current['tax_rate']"],
        python: ["current['tax_rate']", "100 * current['tax_rate']"],
      },
    },
    'ignores the quantity': {
      check: 'addProduct.adds-a-new-product',
      requirement: 'ADD-1',
      cause: 'quantity',
      change: {
        php: ["$product['id'], $in['quantity'], (int)", "$product['id'], 1, (int)"],
        python: ["self.fields['quantity'], once,", '1, once,'],
      },
    },
    'delays by one extra day': {
      check: 'delaySubscription.moves-the-date',
      requirement: 'DELAY-1',
      cause: 'day',
      change: {
        php: [
          "next_billing_date = ? WHERE id = ?', $in",
          "next_billing_date = date(julianday(?) + 1) WHERE id = ?', $in",
        ],
        python: [
          "next_billing_date = ? WHERE id = ?', date",
          "next_billing_date = date(julianday(?) + 1) WHERE id = ?', date",
        ],
      },
    },
    'lists the cancelled subscriptions of every customer': {
      check: 'customers.see-only-their-own-data',
      requirement: 'CUSTOMER-2',
      cause: 'A record is looked up by its id only',
      change: ["WHERE email = ? AND status = 'cancelled'", "WHERE ? <> '' AND status = 'cancelled'"],
    },
  },
  {
    'accepts a quantity of 0': {
      check: 'addProduct.rejects-invalid-fields-of-a-customer',
      requirement: 'FIELD-6',
      cause: 'quantity',
      change: {
        php: ['$value >= 1 &&', '$value >= 0 &&'],
        python: ['1 <= value <= 1000', '0 <= value <= 1000'],
      },
    },
    'keeps one-time items after an order': {
      check: 'sendNow.bills-again-after-the-interval',
      requirement: 'ADD-5',
      cause: 'One-time lines are not removed',
      change: { schema: ['new.subscription_id AND once;', 'new.subscription_id AND once > 1;'] },
    },
    'accepts an earlier date': {
      check: 'delaySubscription.rejects-an-earlier-date',
      requirement: 'DELAY-3',
      cause: 'date',
      change: { schema: ["max(next_billing_date, date('now', '+1 days'))", "date('now', '+1 days')"] },
    },
    'loses the quantity of a swapped item': {
      check: 'swapProduct.replaces-an-item',
      requirement: 'SWAP-2',
      cause: 'quantity',
      change: { schema: ['new.product_id, old.quantity,', 'new.product_id, 1,'] },
    },
    'treats an add after an undo as a repeat': {
      check: 'retries.take-effect-again-after-another-change',
      requirement: 'RETRY-2',
      cause: 'Repeats are detected by content only',
      change: ['WHERE email = ? AND id = request', 'WHERE email = ? AND id = 0'],
    },
  },
  {
    'does not undo the add': {
      check: 'undoAddProduct.restores-the-subscription',
      requirement: 'UNDO-1',
      cause: 'change',
      change: { schema: ['SET quantity = quantity - new.quantity', 'SET quantity = quantity'] },
    },
    'counts a repeat twice': {
      check: 'retries.take-effect-once',
      requirement: 'RETRY-1',
      cause: 'Each repeat of a request runs',
      change: ['unixepoch() + ?)', 'unixepoch() - ?)'],
    },
    'ships twice on one day': {
      check: 'sendNow.rejects-a-second-order-on-one-day',
      requirement: 'SEND-3',
      cause: 'Nothing prevents a second order on the same day',
      change: {
        php: ["if ($current['ordered_today'])", 'if (false)'],
        python: ["if current['ordered_today']:", 'if False:'],
      },
    },
  },
]
