import { must, should } from '../../engine/requirement.ts'

/** The list of cancelled subscriptions. */
export const requirements = {
  'CANCELLED-1': must(
    'The answer is `{subscriptions: [CancelledSubscription, …]}`, fields with their types.',
    'reactivating',
    'The list stands in `data` itself, or the items are called something other than `products`.',
  ),
  'CANCELLED-2': must(
    "The list holds the customer's cancelled subscriptions that can be reactivated.",
    'reactivating',
    'Active or closed subscriptions are listed too, or all but the last are left out.',
  ),
  'CANCELLED-3': should(
    'The most recently cancelled one comes first.',
    'reactivating',
    'The order is that of the database.',
  ),
  'CANCELLED-4': should(
    'A customer without any gets an empty list.',
    'reactivating',
    'No subscriptions are taken for an unknown customer.',
  ),
} as const
