import { must, should } from '../../engine/requirement.ts'

/** Swapping an item for another product. */
export const requirements = {
  'SWAP-1': must(
    'The named item is replaced by the new product.',
    'swapping',
    'The new product is added and the old one kept, or another item than the named one is replaced.',
  ),
  'SWAP-2': should(
    'The item takes the new product at its price; quantity and place are kept.',
    'swapping',
    'Quantity, price or place of the old item are carried over wrongly.',
  ),
  'SWAP-3': should(
    'An item that the current subscription does not have is 404 `item_not_found`.',
    'swapping',
    'An unknown item is answered as a success, or the product is added.',
  ),
  'SWAP-4': should(
    'An unknown product is 404 `product_not_found`, one that is sold out 400 `product_unavailable`.',
    'swapping',
    'The new product is stored without being looked up, or its stock is not looked at.',
  ),
  'SWAP-5': should(
    'A swap into a product that is already an item of the same kind joins the two under that id and place.',
    'swapping',
    'Two lines of one product are left.',
  ),
  'SWAP-6': should(
    'A swap into the same product changes nothing.',
    'swapping',
    'A swap into itself joins the item with itself, or is an error.',
  ),
  'SWAP-7': should(
    'A one-time line stays one-time when it is swapped.',
    'swapping',
    'The swapped line becomes a recurring one.',
  ),
  'SWAP-8': should(
    'A percentage code lowers the next order by that share of the swapped line.',
    'discounts',
    'The code is not looked at in a swap.',
  ),
  'SWAP-9': should(
    'An unknown or expired code is 400 `invalid_discount_code` and nothing changes.',
    'discounts',
    'A code that is not valid is ignored, and the swap made without it.',
  ),
  'SWAP-10': should(
    'A customer without an active subscription is 404 `subscription_not_found`.',
    'swapping',
    'A customer without a subscription is answered as a success.',
  ),
  'SWAP-11': should(
    'A swap changes the current subscription of its customer alone, also where others have a line of that id.',
    'swapping',
    'Lines are changed by their id alone, and that of a product is the id of every line of it.',
  ),
} as const
