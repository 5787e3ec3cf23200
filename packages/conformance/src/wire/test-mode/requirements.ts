import { should } from '../../engine/requirement.ts'

/** What a call in test mode reaches. */
export const requirements = {
  'TEST-1': should(
    'A call in test mode reaches the test store or is refused with 400; it never touches the real store.',
    'test mode',
    'The test-mode header is not looked at, so a test reaches real customers.',
  ),
  'TEST-2': should(
    'A test-mode header of `false` is a call to the real store.',
    'test mode',
    'Any value of the header, also `false`, turns test mode on.',
  ),
} as const
