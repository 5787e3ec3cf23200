import { changeField, fieldsOf, of, refusal, replaceText, type Sent, withFields } from '../messages.ts'
import type { Mutant } from '../mutant.ts'

const ids = ['product_id', 'current_item_id', 'new_product_id', 'subscription_id', 'action_id', 'discount_code']

/** What the fields of a request may hold. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'the codes are those of the shop',
    caughtBy: 'getSubscription.refuses-a-missing-field',
    answer: replaceText('invalid_request', 'BAD_REQUEST'),
  },
  {
    defect: 'an invalid request is 422',
    caughtBy: 'delaySubscription.coerces-no-type',
    answer: of(400, (answered) => ({ ...answered, status: 422 })),
  },
  {
    defect: 'the message does not say which field is wrong',
    caughtBy: 'addProduct.refuses-a-missing-field',
    answer: of(400, replaceText(/"message":"[^"]*"/g, '"message":"The request is not valid."')),
  },
  {
    defect: 'a quantity in quotes is converted',
    caughtBy: 'addProduct.coerces-no-type',
    request: changeField('quantity', (value) => (typeof value === 'string' ? Number(value) : value)),
  },
  {
    defect: 'a number is taken for an id',
    caughtBy: 'swapProduct.coerces-no-type',
    request: changeField('current_item_id', (value) => (typeof value === 'number' ? String(value) : value)),
  },
  {
    defect: 'a list with one address is taken for an address',
    caughtBy: 'sendNow.coerces-no-type',
    request: changeField('email', (value) => (Array.isArray(value) ? value[0] : value)),
  },
  {
    defect: 'the text "true" is taken for true',
    caughtBy: 'addProduct.coerces-no-type',
    request: changeField('one_time', (value) => (value === 'true' ? true : value)),
  },
  {
    defect: 'a quantity of 0 counts as 1',
    caughtBy: 'addProduct.wants-a-quantity-of-at-least-1',
    request: changeField('quantity', (value) => (value === 0 ? 1 : value)),
  },
  {
    defect: 'a negative quantity is passed on',
    caughtBy: 'addProduct.wants-a-quantity-of-at-least-1',
    request: changeField('quantity', (value) => (typeof value === 'number' ? Math.max(1, value) : value)),
  },
  {
    defect: 'a fraction is rounded',
    caughtBy: 'addProduct.wants-a-whole-quantity',
    request: changeField('quantity', (value) => (typeof value === 'number' ? Math.ceil(value) : value)),
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
    request: refuseField('quantity', (value) => value === null),
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
    request: refuseField('product_id', (value) => String(value).length > 50),
  },
  {
    defect: 'ids must be letters, digits and underscores',
    caughtBy: 'runCustomAction.takes-long-and-strange-ids',
    request: refuseField('action_id', (value) => /[^\w-]/.test(String(value))),
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
    request: changeField('product_id', (value) => (typeof value === 'string' ? value.replace(/\p{Cc}/gu, '') : value)),
  },
]

/** A call refused whose field has a value that somebody finds wrong. */
function refuseField(field: string, isWrong: (value: unknown) => boolean) {
  return (sent: Sent) => {
    const fields = fieldsOf(sent)
    return field in fields && isWrong(fields[field]) ? refusal(400, 'invalid_request', `${field}: is wrong`) : sent
  }
}
