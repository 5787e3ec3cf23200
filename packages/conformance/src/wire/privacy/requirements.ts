import { should } from '../../engine/requirement.ts'

/** What stays between the shop and one customer. */
export const requirements = {
  'PRIVACY-1': should(
    'An error message repeats nothing that was sent, names of fields excepted.',
    'privacy',
    'The value, the path or what the JSON parser says is put into the message, which ends up in logs and on screens.',
  ),
  'PRIVACY-2': should(
    "An id of another customer's is answered just like one that nobody has.",
    'privacy',
    'It is looked up first and its owner compared then, with an answer of its own.',
  ),
  'PRIVACY-3': should(
    'Nothing allows a cache to keep an answer: no header beside `Cache-Control` does, and no conditional or partial request is answered in part.',
    'privacy',
    'A framework adds `ETag` and answers 304, or a proxy in front has headers of its own.',
  ),
} as const
