import { changeField, fieldsOf, of, failure, replaceText, type Sent, withFields } from '../messages.ts'
import { listMutants } from '../list-mutants.ts'

const ids = ['product_id', 'current_item_id', 'new_product_id', 'subscription_id', 'action_id', 'discount_code']

export const mutants = listMutants({
  request: {
    'addProduct.rejects-wrong-types: a quantity in quotes is converted': changeField('quantity', (value) =>
      typeof value === 'string' ? Number(value) : value,
    ),
    'swapProduct.rejects-wrong-types: a number is taken for an id': changeField('current_item_id', (value) =>
      typeof value === 'number' ? String(value) : value,
    ),
    'sendNow.rejects-wrong-types: a list with one address is taken for an address': changeField('email', (value) =>
      Array.isArray(value) ? value[0] : value,
    ),
    'addProduct.rejects-wrong-types: the text "true" is taken for true': changeField('one_time', (value) =>
      value === 'true' ? true : value,
    ),
    'addProduct.requires-a-quantity-of-at-least-1: a quantity of 0 counts as 1': changeField('quantity', (value) =>
      value === 0 ? 1 : value,
    ),
    'addProduct.requires-a-quantity-of-at-least-1: a negative quantity is passed on': changeField('quantity', (value) =>
      typeof value === 'number' ? Math.max(1, value) : value,
    ),
    'addProduct.requires-a-whole-quantity: a fraction is rounded': changeField('quantity', (value) =>
      typeof value === 'number' ? Math.ceil(value) : value,
    ),
    'addProduct.treats-null-as-absent: `null` is refused in optional fields': refuseField(
      'quantity',
      (value) => value === null,
    ),
    'reactivateSubscription.rejects-a-missing-field: a missing field is an exception': (sent) =>
      sent.path.endsWith('/reactivate/subscription') && !('subscription_id' in fieldsOf(sent))
        ? failure(500, 'internal_error')
        : sent,
    'delaySubscription.rejects-a-missing-field: without a date the order is delayed by a month': (sent) =>
      sent.path.endsWith('/delay') ? withFields(sent, (all) => ({ new_date: '2090-01-01', ...all })) : sent,
    'addProduct.accepts-long-ids-of-any-script: ids are limited to 50 letters': refuseField(
      'product_id',
      (value) => String(value).length > 50,
    ),
    'runCustomAction.accepts-long-ids-of-any-script: ids must be letters, digits and underscores': refuseField(
      'action_id',
      (value) => /[^\w-]/.test(String(value)),
    ),
    'undoAddProduct.rejects-values-out-of-range: ids may have any length': (sent) =>
      withFields(sent, (all) =>
        Object.fromEntries(
          Object.entries(all).map(([name, value]) => [
            name,
            ids.includes(name) && typeof value === 'string' ? value.slice(0, 255) : value,
          ]),
        ),
      ),
    'addProduct.rejects-values-out-of-range: control characters in ids are dropped': changeField(
      'product_id',
      (value) => (typeof value === 'string' ? value.replace(/\p{Cc}/gu, '') : value),
    ),
  },
  bodies: {
    'getSubscription.rejects-a-missing-field: the codes are those of the shop': (body) =>
      body.replaceAll('invalid_request', 'BAD_REQUEST'),
  },
  answer: {
    'delaySubscription.rejects-wrong-types: an invalid request is 422': of(400, (answered) => ({
      ...answered,
      status: 422,
    })),
    'addProduct.rejects-a-missing-field: the message does not say which field is wrong': of(
      400,
      replaceText(/"message":"[^"]*"/g, '"message":"The request is not valid."'),
    ),
  },
  options: {
    'addProduct.limits-the-quantity: the quantity has no upper limit': { maxQuantity: Number.MAX_SAFE_INTEGER },
    'addProduct.limits-the-quantity: the quantity is limited to 99': { maxQuantity: 99 },
  },
})

/** Rejects a request if a field has a value that the defective shop considers invalid. */
function refuseField(field: string, isWrong: (value: unknown) => boolean) {
  return (sent: Sent) => {
    const fields = fieldsOf(sent)
    return field in fields && isWrong(fields[field]) ? failure(400, 'invalid_request', `${field}: is wrong`) : sent
  }
}
