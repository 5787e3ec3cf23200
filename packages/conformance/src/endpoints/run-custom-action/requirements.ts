import { must, should } from '../../engine/requirement.ts'

/** The merchant's own actions. */
export const requirements = {
  'ACTION-1': must(
    'A known action is run and answered `{"success": true}`.',
    'custom actions',
    'The action is not registered under the id of the profile.',
  ),
  'ACTION-2': should(
    'An unknown action is 404 `action_not_found`, whatever it is called.',
    'custom actions',
    'Unknown actions are answered as a success, or looked up in a plain object with names of its own.',
  ),
  'ACTION-3': should(
    'A known action is run for every customer, with or without a subscription.',
    'custom actions',
    'The action looks for a subscription that it does not need.',
  ),
} as const
