import { endpoints, StoreError } from '@storeport/core'
import { addDays, delaySubscription, getSubscription } from '@storeport/rules'
import { fieldsOf, refusal, type Sent, withFields } from './messages.ts'
import type { Mutant } from './mutant.ts'

/** A field of a body changed, where it is there. */
function changed(field: string, change: (value: unknown) => unknown) {
  return (sent: Sent): Sent =>
    withFields(sent, (fields) => (field in fields ? { ...fields, [field]: change(fields[field]) } : fields))
}

/** A call refused whose field has a value that somebody finds wrong. */
function refused(field: string, isWrong: (value: unknown) => boolean) {
  return (sent: Sent) => {
    const fields = fieldsOf(sent)
    return field in fields && isWrong(fields[field]) ? refusal(400, 'invalid_request', `${field}: is wrong`) : sent
  }
}

/** The address of a call, from its query or its body. */
function emailOf({ query, body }: Sent): string {
  return new URLSearchParams(query.replaceAll('+', '%2B')).get('email') ?? String(fieldsOf({ body })['email'] ?? '')
}

const ids = ['product_id', 'current_item_id', 'new_product_id', 'subscription_id', 'action_id', 'discount_code']

/** What the fields of a request may hold. */
export const fields: readonly Mutant[] = [
  {
    defect: 'a quantity in quotes is converted',
    caughtBy: 'addProduct.coerces-no-type',
    request: changed('quantity', (value) => (typeof value === 'string' ? Number(value) : value)),
  },
  {
    defect: 'a number is taken for an id',
    caughtBy: 'swapProduct.coerces-no-type',
    request: changed('current_item_id', (value) => (typeof value === 'number' ? String(value) : value)),
  },
  {
    defect: 'a list with one address is taken for an address',
    caughtBy: 'sendNow.coerces-no-type',
    request: changed('email', (value) => (Array.isArray(value) ? value[0] : value)),
  },
  {
    defect: 'the text "true" is taken for true',
    caughtBy: 'addProduct.coerces-no-type',
    request: changed('one_time', (value) => (value === 'true' ? true : value)),
  },
  {
    defect: 'a quantity of 0 counts as 1',
    caughtBy: 'addProduct.wants-a-quantity-of-at-least-1',
    request: changed('quantity', (value) => (value === 0 ? 1 : value)),
  },
  {
    defect: 'a negative quantity is passed on',
    caughtBy: 'addProduct.wants-a-quantity-of-at-least-1',
    request: changed('quantity', (value) => (typeof value === 'number' ? Math.max(1, value) : value)),
  },
  {
    defect: 'a fraction is rounded',
    caughtBy: 'addProduct.wants-a-whole-quantity',
    request: changed('quantity', (value) => (typeof value === 'number' ? Math.ceil(value) : value)),
  },
  {
    defect: 'the quantity has no upper limit',
    caughtBy: 'addProduct.limits-the-quantity',
    options: { maxQuantity: Number.MAX_SAFE_INTEGER },
  },
  {
    defect: 'the quantity is limited to 99',
    caughtBy: 'addProduct.limits-the-quantity',
    options: { maxQuantity: 99 },
  },
  {
    defect: '`null` is refused in optional fields',
    caughtBy: 'addProduct.takes-null-for-absent',
    request: refused('quantity', (value) => value === null),
  },
  {
    defect: 'a missing field is an exception',
    caughtBy: 'reactivateSubscription.refuses-a-missing-field',
    request: (sent) =>
      sent.path.endsWith('/reactivate/subscription') && !('subscription_id' in fieldsOf(sent))
        ? refusal(500, 'internal_error')
        : sent,
  },
  {
    defect: 'without a date the order is delayed by a month',
    caughtBy: 'delaySubscription.refuses-a-missing-field',
    request: (sent) =>
      sent.path.endsWith('/delay') ? withFields(sent, (all) => ({ new_date: '2090-01-01', ...all })) : sent,
  },
  {
    defect: 'ids are limited to 50 letters',
    caughtBy: 'addProduct.takes-long-and-strange-ids',
    request: refused('product_id', (value) => String(value).length > 50),
  },
  {
    defect: 'ids must be letters, digits and underscores',
    caughtBy: 'runCustomAction.takes-long-and-strange-ids',
    request: refused('action_id', (value) => /[^\w-]/.test(String(value))),
  },
  {
    defect: 'ids may have any length',
    caughtBy: 'undoAddProduct.refuses-values-out-of-bounds',
    request: (sent) =>
      withFields(sent, (all) =>
        Object.fromEntries(
          Object.entries(all).map(([name, value]) => [
            name,
            ids.includes(name) && typeof value === 'string' ? value.slice(0, 255) : value,
          ]),
        ),
      ),
  },
  {
    defect: 'control characters in ids are dropped',
    caughtBy: 'addProduct.refuses-values-out-of-bounds',
    request: changed('product_id', (value) => (typeof value === 'string' ? value.replace(/\p{Cc}/gu, '') : value)),
  },
  {
    defect: 'addresses may hold letters, digits, dots and hyphens alone',
    caughtBy: 'emails.accept-what-html-accepts',
    request: (sent) =>
      /[^\w.@-]/.test(emailOf(sent).trim()) ? refusal(400, 'invalid_request', 'email: is wrong') : sent,
  },
  {
    defect: 'addresses need a dot behind the @',
    caughtBy: 'emails.accept-what-html-accepts',
    request: (sent) => (/@[^.]+$/.test(emailOf(sent)) ? refusal(400, 'invalid_request', 'email: is wrong') : sent),
  },
  {
    defect: 'anything with an @ is an address',
    caughtBy: 'emails.refuse-what-html-refuses',
    request: (sent) =>
      /^[^@]+@[^@]+$/.test(emailOf(sent)) && /_|\.$/.test(emailOf(sent)) ? refusal(404, 'customer_not_found') : sent,
  },
  {
    defect: 'addresses may have any length',
    caughtBy: 'emails.have-at-most-254-characters',
    request: (sent) => (emailOf(sent).trim().length > 254 ? refusal(404, 'customer_not_found') : sent),
  },
  {
    defect: 'addresses may have 100 letters',
    caughtBy: 'emails.have-at-most-254-characters',
    request: (sent) => (emailOf(sent).length > 100 ? refusal(400, 'invalid_request', 'email: is too long') : sent),
  },
  {
    defect: 'space around an address is not cut off',
    caughtBy: 'emails.are-trimmed',
    request: (sent) =>
      emailOf(sent) === emailOf(sent).trim() ? sent : refusal(400, 'invalid_request', 'email: is wrong'),
  },
  {
    defect: 'addresses are compared letter by letter',
    caughtBy: 'emails.ignore-the-letter-case',
    find: (email, accounts) => accounts.get(email),
  },
  {
    defect: 'addresses are compared letter by letter in actions',
    caughtBy: 'emails.in-bodies-find-the-same-customer',
    request: (sent) =>
      /[A-Z]/.test(String(fieldsOf(sent)['email'] ?? '')) ? refusal(404, 'customer_not_found') : sent,
  },
  {
    defect: 'the query is decoded as a form, where a plus is a space',
    caughtBy: 'emails.keep-a-plus-in-the-query',
    request: (sent) => ({ ...sent, query: sent.query.replaceAll('+', '%20') }),
  },
  {
    defect: 'dates go through a lenient parser',
    caughtBy: 'delaySubscription.wants-a-date',
    request: changed('new_date', (value) =>
      typeof value === 'string' && Number.isFinite(Date.parse(value))
        ? new Date(value).toISOString().slice(0, 10)
        : value,
    ),
  },
  {
    defect: 'the time behind a date is cut off',
    caughtBy: 'delaySubscription.wants-a-date',
    request: changed('new_date', (value) => (typeof value === 'string' ? value.split('T')[0] : value)),
  },
  {
    defect: '30 February rolls over into March',
    caughtBy: 'delaySubscription.knows-the-calendar',
    request: changed('new_date', (value) => (typeof value === 'string' ? value.replace('02-30', '03-02') : value)),
  },
  {
    defect: 'every fourth year is a leap year, 2100 too',
    caughtBy: 'delaySubscription.knows-the-calendar',
    request: changed('new_date', (value) => (value === '2100-02-29' ? '2100-02-28' : value)),
  },
  {
    defect: 'nobody knows of leap years',
    caughtBy: 'delaySubscription.knows-leap-years',
    request: (sent) => (/-02-29/.test(sent.body ?? '') ? refusal(400, 'invalid_date') : sent),
  },
  {
    defect: 'a date is stored as midnight and comes back a day earlier in another zone',
    caughtBy: 'delaySubscription.shifts-no-date',
    rules: { getSubscription: (account, input, shop) => dayBefore(getSubscription(account, input, shop)) },
  },
  {
    defect: 'a date loses a day while clocks are set forward',
    caughtBy: 'delaySubscription.shifts-no-date',
    rules: {
      delaySubscription: (account, input, shop) => {
        const isSummer = /-0[4-9]-|-10-/.test(input.new_date)
        return delaySubscription(account, isSummer ? { ...input, new_date: addDays(input.new_date, -1) } : input, shop)
      },
    },
  },
  {
    defect: 'a missing quantity is 0, which adds nothing',
    caughtBy: 'addProduct.adds-one-when-no-quantity-is-sent',
    request: (sent) => {
      const isBare = sent.path.endsWith(endpoints.addProduct.path) && 'product_id' in fieldsOf(sent)
      return isBare && !('quantity' in fieldsOf(sent)) && isKnown(sent)
        ? { ...refusal(200, ''), body: '{"success":true}' }
        : sent
    },
  },
  {
    defect: 'without the flag an add is for the next order only',
    caughtBy: 'addProduct.raises-the-quantity-of-an-item',
    request: (sent) =>
      sent.path.endsWith(endpoints.addProduct.path) ? withFields(sent, (all) => ({ one_time: true, ...all })) : sent,
  },
  {
    defect: 'the flag is called `next_cycle_only`',
    caughtBy: 'addProduct.adds-to-the-next-order-only',
    request: (sent) =>
      withFields(sent, ({ one_time: _, next_cycle_only, ...all }) => ({ ...all, one_time: next_cycle_only ?? null })),
  },
  {
    defect: 'the discount code is called `coupon`',
    caughtBy: 'addProduct.takes-a-percentage-off',
    request: (sent) =>
      withFields(sent, ({ discount_code: _, coupon, ...all }) => ({ ...all, discount_code: coupon ?? null })),
  },
  {
    defect: 'an exception for a date in the far future',
    caughtBy: 'delaySubscription.has-no-latest-date',
    rules: {
      delaySubscription: (account, input, shop) => {
        if (input.new_date > addDays(shop.today, 36_000)) throw new StoreError('invalid_date')
        return delaySubscription(account, input, shop)
      },
    },
  },
]

function dayBefore(subscription: ReturnType<typeof getSubscription>): ReturnType<typeof getSubscription> {
  return { ...subscription, next_billing_date: addDays(subscription.next_billing_date, -1) }
}

function isKnown(sent: Sent): boolean {
  return fieldsOf(sent)['email'] === 'subscription@example.com'
}
