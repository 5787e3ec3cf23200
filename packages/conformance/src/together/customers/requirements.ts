import { should } from '../../engine/requirement.ts'

/** Whose data a call reaches. */
export const requirements = {
  'CUSTOMER-1': should(
    'An unknown customer is 404 `customer_not_found`, before anything else about the ids.',
    'customers',
    'The ids are looked up before the customer is, or the customer is not looked up at all.',
  ),
  'CUSTOMER-2': should(
    "A customer's email never reaches another customer's data, whatever ids are named.",
    'customers',
    'Something is found by its id alone, or kept in a variable that all calls share.',
  ),
  'CUSTOMER-3': should(
    'An address is compared as a whole: no wildcard and no part of it finds a customer.',
    'customers',
    'The address goes into a LIKE or a search in place of an equality.',
  ),
} as const
