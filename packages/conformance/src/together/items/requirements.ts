import { should } from '../../engine/requirement.ts'

/** What names an item of a subscription. */
export const requirements = {
  'ITEM-1': should(
    'A product that `listProducts` names is, once added, an item of that id.',
    'item ids',
    'The id of a row is sent. The caller compares the ids of items with those of `listProducts` to find what a subscriber may swap: where they differ, it cannot offer a swap.',
  ),
  'ITEM-2': should(
    'An item keeps its id when a second line of its product, one-time or recurring, comes or goes.',
    'item ids',
    'A line has the id of its product only as long as there is no second one. The caller cannot offer a swap of a line whose id has changed since it was shown.',
  ),
  'ITEM-3': should(
    'An item that has the id of its product has that of the new one after a swap; the old id is 404 `item_not_found`.',
    'item ids',
    'The line keeps the id that it was made with. The caller takes it for the old product, and offers the wrong swaps.',
  ),
} as const
