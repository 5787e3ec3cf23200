import { changeField, fieldsOf, of, failure, replaceText, type Sent, withFields, withStatus } from '../messages.ts'
import { listMutants } from '../list-mutants.ts'

const ids = ['product_id', 'current_item_id', 'new_product_id', 'subscription_id', 'action_id', 'discount_code']

export const mutants = listMutants({
  request: {
    'a quantity in quotes is converted': changeField('quantity', (value) =>
      typeof value === 'string' ? Number(value) : value,
    ),
    'a number is taken for an id': changeField('current_item_id', (value) =>
      typeof value === 'number' ? String(value) : value,
    ),
    'a list with one address is taken for an address': changeField('email', (value) =>
      Array.isArray(value) ? value[0] : value,
    ),
    'the text "true" is taken for true': changeField('one_time', (value) => (value === 'true' ? true : value)),
    'a quantity of 0 counts as 1': changeField('quantity', (value) => (value === 0 ? 1 : value)),
    'a negative quantity is passed on': changeField('quantity', (value) =>
      typeof value === 'number' ? Math.max(1, value) : value,
    ),
    'a fraction is rounded': changeField('quantity', (value) => (typeof value === 'number' ? Math.ceil(value) : value)),
    '`null` is refused in optional fields': refuseField('quantity', (value) => value === null),
    'a missing field is an exception': (sent) =>
      sent.path.endsWith('/reactivate/subscription') && !('subscription_id' in fieldsOf(sent))
        ? failure(500, 'internal_error')
        : sent,
    'without a date the order is delayed by a month': (sent) =>
      sent.path.endsWith('/delay') ? withFields(sent, (all) => ({ new_date: '2090-01-01', ...all })) : sent,
    'ids are limited to 50 letters': refuseField('product_id', (value) => String(value).length > 50),
    'ids must be letters, digits and underscores': refuseField('action_id', (value) => /[^\w-]/.test(String(value))),
    'ids may have any length': (sent) =>
      ids.reduce(
        (changed, id) => changeField(id, (value) => (typeof value === 'string' ? value.slice(0, 255) : value))(changed),
        sent,
      ),
    'control characters in ids are dropped': changeField('product_id', (value) =>
      typeof value === 'string' ? value.replace(/\p{Cc}/gu, '') : value,
    ),
  },
  bodies: {
    'the codes are those of the shop': ['invalid_request', 'BAD_REQUEST'],
  },
  answer: {
    'an invalid request is 422': of(400, withStatus(422)),
    'the message does not say which field is wrong': of(
      400,
      replaceText(/"message":"[^"]*"/g, '"message":"The request is not valid."'),
    ),
  },
  options: {
    'the quantity has no upper limit': { maxQuantity: Number.MAX_SAFE_INTEGER },
    'the quantity is limited to 99': { maxQuantity: 99 },
  },
})

/** Rejects a request if a field has a value that the defective shop considers invalid. */
function refuseField(field: string, isWrong: (value: unknown) => boolean) {
  return (sent: Sent) => {
    const fields = fieldsOf(sent)
    return field in fields && isWrong(fields[field]) ? failure(400, 'invalid_request', `${field}: is wrong`) : sent
  }
}
