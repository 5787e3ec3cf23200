import { must, should } from '../../engine/requirement.ts'

/** Undoing an add. */
export const requirements = {
  'UNDO-1': must(
    'A product that was added is removed again.',
    'undoing',
    'The undo answers before it has changed anything, or looks for the wrong id.',
  ),
  'UNDO-2': should(
    'Exactly the most recent open add is taken back: nothing that the customer already had.',
    'undoing',
    'The whole line is removed, also what the customer had before; or one unit in place of the quantity that was added.',
  ),
  'UNDO-3': should(
    'Nothing to take back (never added, already undone) is 404 `product_not_in_order`.',
    'undoing',
    'Nothing to take back is answered as a success, or takes something else.',
  ),
  'UNDO-4': should(
    'An undo follows its add, also when another subscription has become current since.',
    'undoing',
    'The undo looks for the add in whichever subscription is current now.',
  ),
  'UNDO-5': should(
    'An add that was shipped or swapped away cannot be taken back.',
    'undoing',
    'Adds are not closed when their order is made or their item swapped.',
  ),
} as const
