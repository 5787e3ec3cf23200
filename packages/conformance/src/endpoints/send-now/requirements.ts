import { must, should } from '../../engine/requirement.ts'

/** Sending the next order now. */
export const requirements = {
  'SEND-1': must(
    'The next order is processed and shipped now.',
    'sending now',
    'The call is accepted and nothing is done, or nothing that can be seen.',
  ),
  'SEND-2': should(
    'The next billing date becomes today and the interval.',
    'sending now',
    'The interval is counted from the old date, or a month is taken for 30 days.',
  ),
  'SEND-3': should(
    'A second one of the customer on the same day, for whichever subscription, is 400 `order_already_processing`.',
    'sending now',
    'Nothing keeps a second order of the same day from being made.',
  ),
  'SEND-4': should(
    'A repeated click ships one order, never two.',
    'sending now',
    'Each click makes an order: a retry or a double click ships two boxes.',
  ),
  'SEND-5': should(
    'A customer without an active subscription is 404 `subscription_not_found`.',
    'sending now',
    'A customer without a subscription is answered as a success.',
  ),
} as const
