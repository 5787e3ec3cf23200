import type { EndpointName, InputOf } from '@storeport/core'

/** What a field of an input holds. */
export type FieldKind = 'email' | 'id' | 'date' | 'quantity' | 'flag'

/** A field of an input: its kind, and whether it can be left out. */
export interface InputField {
  /** What it holds. */
  readonly kind: FieldKind
  /** Whether a call without it is refused. */
  readonly required: boolean
}

const required = (kind: FieldKind): InputField => ({ kind, required: true })
const optional = (kind: FieldKind): InputField => ({ kind, required: false })

/** The fields of each endpoint's query or body. */
export const inputFields: { readonly [Name in EndpointName]: Readonly<Record<keyof InputOf<Name>, InputField>> } = {
  listProducts: { email: optional('email') },
  addProduct: {
    email: required('email'),
    product_id: required('id'),
    quantity: optional('quantity'),
    discount_code: optional('id'),
    one_time: optional('flag'),
  },
  undoAddProduct: { email: required('email'), product_id: required('id') },
  getSubscription: { email: required('email') },
  sendNow: { email: required('email') },
  delaySubscription: { email: required('email'), new_date: required('date') },
  swapProduct: {
    email: required('email'),
    current_item_id: required('id'),
    new_product_id: required('id'),
    discount_code: optional('id'),
  },
  listCancelledSubscriptions: { email: required('email') },
  reactivateSubscription: {
    email: required('email'),
    subscription_id: required('id'),
    discount_code: optional('id'),
  },
  runCustomAction: { email: required('email'), action_id: required('id') },
  getDiscount: { discount_code: required('id') },
}

/** The fields of an endpoint by name. */
export function fieldsOf(name: EndpointName): readonly (readonly [field: string, InputField])[] {
  return Object.entries(inputFields[name])
}
